# Two images: `sandbox` has every program, `connector` (the default) the product alone. The command decides which one runs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package runs a script of its own here: what it needs comes ready from the registry.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json nest-cli.json .swcrc ./
COPY src ./src
RUN npm run build && npm run --silent bill-of-materials > bill-of-materials.json \
  && npm prune --ignore-scripts --omit=dev --omit=optional

FROM node:24-bookworm-slim AS sandbox
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json /app/bill-of-materials.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY migrations ./migrations
USER node
EXPOSE 3000 3001
CMD ["node", "--enable-source-maps", "dist/connector/main.js"]

FROM sandbox AS connector-files
USER root
RUN rm -r dist/sandbox dist/erp-contract migrations/ledger migrations/simulator

FROM node:24-bookworm-slim AS connector
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=connector-files /app ./
USER node
EXPOSE 3000 3001
CMD ["node", "--enable-source-maps", "dist/connector/main.js"]
