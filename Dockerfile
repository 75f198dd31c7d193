# One image for the web server, the worker and every manage.py command. docs/deployment.md says how to run it.
#   docker build -t lectorium .                            with the big reader (405 MB more)
#   docker build -t lectorium --build-arg READER=small .   for small machines
FROM python:3.11-slim-bookworm AS build
ARG READER=auto
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1
WORKDIR /opt/lectorium
RUN python -m venv /opt/venv
COPY requirements.txt ./
COPY locks/run.txt locks/run.txt
RUN /opt/venv/bin/pip install --no-deps --require-hashes -r locks/run.txt \
    && /opt/venv/bin/pip install "$(grep '^torch==' requirements.txt)" \
    && /opt/venv/bin/pip check
COPY . .
RUN mkdir -p /opt/models \
    && LECTORIUM_READER=$READER LECTORIUM_READER_BASE=/opt/models/all-mpnet-base-v2 /opt/venv/bin/python scripts/install_reader.py

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin lectorium \
    && install -d -o lectorium -g lectorium /data
COPY --from=build /opt/venv /opt/venv
COPY --from=build /opt/models /opt/models
COPY --from=build /opt/lectorium /opt/lectorium
WORKDIR /opt/lectorium
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    LECTORIUM_STATE=/data \
    LECTORIUM_MODELS=/opt/models \
    LECTORIUM_READER_BASE=/opt/models/all-mpnet-base-v2
USER 10001
VOLUME /data
EXPOSE 8000
CMD ["python", "-m", "lectorium.web.server", "-v", "0", "--no-server-name", "-b", "0.0.0.0", "-p", "8000", "lectorium.asgi:application"]
