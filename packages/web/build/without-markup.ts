/**
 * Leaves out of the page what it never uses of the library that draws replies: the parser of HTML, since tags in a reply
 * are shown as they were written, and the merging of class names, since every part is drawn by the page itself.
 */
import type { Plugin } from 'vite'

const left = /\/node_modules\/(rehype-raw|tailwind-merge)\/.*\.m?js$/

const instead: Readonly<Record<string, string>> = {
  'rehype-raw': "export default () => { throw new Error('Tags in replies are not parsed.') }",
  'tailwind-merge': "export const twMerge = (...names) => names.filter(Boolean).join(' ')",
}

export function withoutMarkup(): Plugin {
  return {
    name: 'countersign:without-markup',
    apply: 'build',
    transform: {
      filter: { id: left },
      handler: (_code, id) => ({ code: instead[left.exec(id)?.[1] ?? ''] ?? '', map: null }),
    },
  }
}
