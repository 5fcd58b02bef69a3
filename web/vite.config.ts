import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The dashboard: no request to another origin, nothing inline that a strict policy would refuse. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
