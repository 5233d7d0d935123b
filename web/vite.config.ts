import { defineConfig } from 'vite';

export const config = defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  logLevel: 'warn',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The content-security policy lets in no data: address and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    rolldownOptions: {
      // One for bookkeepers, one for operators: neither loads what only the other needs.
      input: ['index.html', 'operator.html'].map((page) => `${import.meta.dirname}/${page}`),
      // Libraries mark their files for servers that render them; this page is not rendered by one.
      onLog(level, log, pass) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') {
          pass(level, log);
        }
      },
    },
  },
});
