import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The simulator serves the built phone at /phone/; in development it is asked for everything else. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/phone/',
  plugins: [react()],
  server: {
    proxy: Object.fromEntries(
      ['/control', '/pictures'].map((path) => [path, process.env.SIMULATOR_URL ?? 'http://127.0.0.1:4020']),
    ),
  },
  build: { outDir: '../../../dist/phone', emptyOutDir: true },
});
