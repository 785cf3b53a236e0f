import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { preloadStart } from './build/preload-start.ts'
import { withoutJsonSchema } from './build/without-json-schema.ts'
import { withoutMarkup } from './build/without-markup.ts'
import { withoutServerParts } from './build/without-server-parts.ts'

const here = import.meta.dirname

/** Libraries that every page needs: one file, which changes only when they do. */
const base =
  /\/node_modules\/(react|react-dom|scheduler|use-sync-external-store|zod|canonicalize|@tanstack\/(react-query|query-core))\//

/** What the frame itself is made of, and every screen too: one file instead of many small ones. */
const shell =
  /\/packages\/(contract\/src\/(ids|trust|trust-statement|events|card|decision|effect|errors|permit|subject|frames|api|api-costs|api-feed|json\/canonical|display\/sanitise|live\/\w+)\.ts|web\/src\/(app\/(destinations|key-table|theme|route\/\w+)|environment\/\w+|data\/(digest|link)|kit\/(button|chain|chip|classes|command|key-hint|link|mono|narrow|notify|page|row|sheet|stamp|states|tier-chip|time)|language\/format|words\/(common|deciding|frame))\.tsx?)$/

/** What the entry needs to choose a language. The shell is loaded after that, since it takes its words when it is. */
const language = /\/packages\/web\/src\/language\/(current|plural)\.ts$|vite\/preload-helper/

/** Nothing is inlined: the page may load fonts, pictures and scripts from its own origin only. */
export default defineConfig({
  root: here,
  plugins: [react(), tailwind(), withoutJsonSchema(), withoutMarkup(), withoutServerParts(), preloadStart()],
  build: {
    outDir: `${here}/dist`,
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Only the entry and styles do something by being loaded; a barrel then costs what is taken from it.
      treeshake: {
        // A shape that nobody parses with is left out.
        manualPureFunctions: ['z'],
        moduleSideEffects: [{ test: /\/packages\/web\/src\/(?!main\.tsx|.*\.css$)/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: base },
            { name: 'language', test: language },
            { name: 'shell', test: shell },
          ],
        },
      },
    },
  },
})
