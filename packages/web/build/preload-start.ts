/** Has the page name the files of the app beside its entry, which waits for a language only and would find them later. */
import type { HtmlTagDescriptor, Plugin } from 'vite'

const start = '/src/app/start.tsx'

export function preloadStart(): Plugin {
  return {
    name: 'countersign:preload-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const first = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(start))
        if (first === undefined) throw new Error(`The build has no file for ${start}.`)
        const wanted = new Set([first.fileName])
        for (const name of wanted)
          for (const next of chunks.find((chunk) => chunk.fileName === name)?.imports ?? []) wanted.add(next)
        return [...wanted]
          .filter((name) => !html.includes(`/${name}"`))
          .map(
            (name): HtmlTagDescriptor => ({
              tag: 'link',
              attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
              injectTo: 'head',
            }),
          )
      },
    },
  }
}
