import tailwindcss from '@tailwindcss/vite';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** What the program itself answers; everything else is the web app's. */
const SERVER_PATHS = ['/api', '/l', '/webhooks', '/phone', '/mailbox', '/pictures'];

export default defineConfig(() => {
  const target = `http://127.0.0.1:${process.env.PORT ?? '3000'}`;
  return {
    root: import.meta.dirname,
    base: '/',
    plugins: [react(), tailwindcss(), preloadFont(), precompress()],
    server: {
      proxy: Object.fromEntries(SERVER_PATHS.map((path) => [`^${path}(/|$|\\?)`, { target, changeOrigin: false }])),
    },
    build: {
      outDir: '../dist/web',
      emptyOutDir: true,
      // `light-dark()` is used as it stands; older browsers than these would need it translated.
      target: ['chrome123', 'safari17.5', 'firefox120'],
    },
  };
});

/** The Latin face is needed for the first text on every screen: the browser should not learn of it from the CSS. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
        if (!font) return [];
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' as const }];
      },
    },
  };
}

/** Compressed once here, as hard as possible, instead of by the server for every visitor. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!/\.(js|css|svg)$/.test(fileName)) continue;
          const source = file.type === 'chunk' ? file.code : file.source;
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source) });
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) });
        }
      },
    },
  };
}
