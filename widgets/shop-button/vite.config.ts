import { defineConfig } from 'vite';

/** One file, nothing in it from elsewhere, for browsers of the last years. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: ['chrome100', 'safari15', 'firefox100'],
    lib: {
      entry: `${import.meta.dirname}/shop-button.ts`,
      formats: ['iife'],
      name: 'creatorHqShopButton',
      fileName: () => 'shop-button.js',
    },
  },
});
