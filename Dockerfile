# Two images: `sandbox` has every program, `connector` (the default) the product alone. The command decides which one runs.
FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package runs a script of its own here: what it needs comes ready from the registry.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json nest-cli.json .swcrc ./
COPY src ./src
COPY web ./web
COPY .tools ./.tools
RUN npm run build && npm run build:web && npm run --silent bill-of-materials > bill-of-materials.json \
  && npm prune --ignore-scripts --omit=dev --omit=optional

FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS sandbox
# A heap for a container of 768 MB; another memory limit wants another one.
ENV NODE_ENV=production HOST=0.0.0.0 NODE_OPTIONS="--max-old-space-size=512 --max-semi-space-size=16"
WORKDIR /app
COPY --from=build /app/package.json /app/bill-of-materials.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/web/dist ./web/dist
COPY migrations ./migrations
USER node
EXPOSE 3000 3001
CMD ["node", "--enable-source-maps", "dist/connector/main.js"]

FROM sandbox AS connector-files
USER root
RUN rm -r dist/sandbox dist/erp-contract migrations/ledger migrations/simulator

FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS connector
# A heap for a container of 768 MB; another memory limit wants another one.
ENV NODE_ENV=production HOST=0.0.0.0 NODE_OPTIONS="--max-old-space-size=512 --max-semi-space-size=16"
WORKDIR /app
COPY --from=connector-files /app ./
USER node
EXPOSE 3000 3001
# Readiness of API and worker alike; the orchestrator's own probes take its place where it has them.
HEALTHCHECK --interval=15s --start-period=30s CMD ["node", "-e", "fetch('http://localhost:3001/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="erp-export-connector" org.opencontainers.image.version="${VERSION}"
CMD ["node", "--enable-source-maps", "dist/connector/main.js"]
