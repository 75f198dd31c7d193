"""The product for other programs: REST under /api/v1/, and the shape of OpenAI under /v1/ (docs/integrators.md)."""
