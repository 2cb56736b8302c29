"""Embedding models behind an OpenAI-compatible address: protocol, client, probes, text model."""

from fairvec.encoders.endpoint.model import ENDPOINT, Endpoint, EndpointModel, SendingEstimate

__all__ = ["ENDPOINT", "Endpoint", "EndpointModel", "SendingEstimate"]
