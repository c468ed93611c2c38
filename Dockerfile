# Two stages: the first has pip and a cache, the second only what runs.
# Build and start:
#   docker build -t hotdice .
#   docker run -p 8000:8000 -v hotdice:/data hotdice
# On Postgres: -e HOTDICE_DATABASE_URL=postgresql+asyncpg://…, after `docker run … hotdice migrate`.

FROM python:3.13-slim-trixie AS build
WORKDIR /build
COPY requirements/runtime.txt requirements/runtime.txt
RUN python -m venv --without-pip /opt/hotdice
RUN python -m pip --python /opt/hotdice/bin/python install --no-cache-dir -r requirements/runtime.txt

FROM python:3.13-slim-trixie
RUN useradd --system --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin hotdice \
    && install -d -o hotdice -g hotdice -m 0750 /data
COPY --from=build /opt/hotdice /opt/hotdice
WORKDIR /srv/hotdice
COPY . .
RUN /opt/hotdice/bin/python -m compileall -q app engine
ENV PATH=/opt/hotdice/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONUNBUFFERED=1 \
    PYTHONPATH=/srv/hotdice \
    HOTDICE_HOST=0.0.0.0 \
    HOTDICE_PORT=8000 \
    HOTDICE_DATABASE_URL=sqlite+aiosqlite:////data/hotdice.db
USER hotdice
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"HOTDICE_PORT\"]}/health/live', timeout=2)"]
ENTRYPOINT ["python", "-m", "app.cli"]
CMD ["serve"]
