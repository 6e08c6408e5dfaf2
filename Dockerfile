# One image for every process of a real site; the command says which one it is (see compose.yaml).
FROM python:3.13-slim AS build
WORKDIR /srv/riffle
COPY requirements.txt ./
RUN python -m venv /srv/venv \
    && /srv/venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt

# The compiled engine, by the tools of development; should that fail, the engine runs in Python.
FROM build AS fast
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
COPY requirements-dev.txt ./
RUN /srv/venv/bin/pip install --no-cache-dir --require-hashes -r requirements-dev.txt
COPY config config
COPY rules rules
COPY games games
RUN mkdir /srv/fast && (RIFFLE_FAST=/srv/fast /srv/venv/bin/python -m config.fast || true)

FROM python:3.13-slim
ENV PATH=/srv/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    RIFFLE_VAR=/srv/var RIFFLE_FAST=/srv/fast STATIC_ROOT=/srv/static
RUN useradd --system --home-dir /srv/var --create-home riffle
WORKDIR /srv/riffle
COPY --from=build /srv/venv /srv/venv
COPY --from=fast /srv/fast /srv/fast
COPY . .
# Nobody writes bytecode later; without it each start takes three times the processor's work.
RUN python -m compileall -q accounts collection config core decks games matches notices rules
# The key only chooses the settings of a real site here; it signs nothing and is not kept.
RUN SECRET_KEY=only-for-collecting-static-files ALLOWED_HOSTS=localhost RIFFLE_VAR=/tmp/build \
    python manage.py collectstatic --noinput -v 0 && rm -rf /tmp/build
USER riffle
VOLUME /srv/var
EXPOSE 8000
CMD ["granian", "--host", "0.0.0.0", "--port", "8000", "--interface", "asgi", "--http", "1", "--no-ws", \
     "--workers", "2", "--respawn-failed-workers", "--workers-kill-timeout", "5", \
     "--http1-header-read-timeout", "10000", "config.asgi:application"]
