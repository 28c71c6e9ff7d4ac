import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { alias, compiler, dropSchemas } from './vite.config.ts'

/** Builds `web/render.tsx` for the server, with all of its packages: an installation has none of them. */
export default defineConfig({
  publicDir: false,
  plugins: [react(), compiler(), dropSchemas()],
  resolve: { alias },
  // Otherwise React would ask the environment of the server, and be the slow version for development.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  ssr: { noExternal: true },
  build: {
    ssr: 'web/render.tsx',
    outDir: 'dist/render',
    reportCompressedSize: false,
    minify: true,
  },
})
