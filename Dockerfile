# The command line in a small image: docker build -t fairvec .
#   docker run --rm --network none --user "$(id -u):$(id -g)" -v "$PWD:/work" fairvec audit model.vec -o runs/mine
# Nothing is fetched when it runs: the suites and five small models are in the image.
ARG PYTHON=3.11-slim

FROM python:${PYTHON} AS build
# With commas, as in --build-arg EXTRAS=encoders,gensim
ARG EXTRAS=""
WORKDIR /build
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/fairvec \
 && /opt/fairvec/bin/pip install --no-cache-dir --disable-pip-version-check -c constraints.txt ".${EXTRAS:+[$EXTRAS]}"

FROM python:${PYTHON}
RUN useradd --uid 10001 --create-home fairvec && mkdir /work && chown fairvec /work
COPY --from=build /opt/fairvec /opt/fairvec
ENV PATH="/opt/fairvec/bin:$PATH" \
    PYTHONDONTWRITEBYTECODE=1 \
    HF_HUB_OFFLINE=1
USER 10001
WORKDIR /work
ENTRYPOINT ["fairvec"]
CMD ["--help"]
