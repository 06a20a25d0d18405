# The web site in a container: built in one stage, run as nobody in particular in another.
# tools/check_dockerfile.sh carries out these steps without Docker, and starts the server.

FROM debian:bookworm-slim AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 python3-venv
COPY . /source
RUN python3 -m venv /opt/parlour \
 && /opt/parlour/bin/pip install --no-cache-dir --disable-pip-version-check '/source[web,postgresql]'

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin parlour
COPY --from=build /opt/parlour /opt/parlour
# The database and what is compiled for this processor are kept in the volume.
ENV PATH=/opt/parlour/bin:/usr/local/bin:/usr/bin:/bin XDG_DATA_HOME=/data PARLOUR_CACHE=/data/cache
USER parlour
WORKDIR /data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["python3", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["parlour", "web", "--host", "0.0.0.0", "--port", "8000", "--no-browser", "--log-format", "json", "--log-level", "info"]
