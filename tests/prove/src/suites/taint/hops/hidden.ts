/** Words in a file that a later program does not name: it sees none of them, or what it brings back is worth as much. */
import type { Hop } from '../hop.ts'

/** None of these says the path of the file. */
const ways: Readonly<Record<string, string>> = {
  'a pattern': 'cat *.md */*.md',
  'a search of everything': 'grep -rh word- .; find . -type f -exec cat {} +',
  'a variable': 'for f in *; do cat "$f"; done',
  'an archive of everything': 'tar cf - . | tar xOf -',
  'a copy of everything': 'cp -r . /tmp/all; cat /tmp/all/*.md',
  'its own process': 'cat /proc/self/cwd/*.md /proc/self/root/workspace/*.md',
  'a link of its own': 'ln -s . here; cat here/*.md; ln -- *.md there/; cat there/*',
}

const hidden = (way: string, command: string): Hop => ({
  name: `a hidden file, read by ${way}`,
  kind: 'program',
  needs: ['execute_shell'],
  begins: 'anew',
  mayStop: true,
  put: ({ mark, words }) => [[{ name: 'write_file', args: { path: `${mark}.md`, content: words } }]],
  take: () => [[{ name: 'execute_shell', args: { command: `${command}; true` } }]],
})

export const hiddenHops: readonly Hop[] = [
  ...Object.entries(ways).map(([way, command]) => hidden(way, command)),
  {
    name: 'a hidden file, searched for',
    kind: 'file',
    begins: 'anew',
    mayStop: true,
    put: ({ mark, words }) => [[{ name: 'write_file', args: { path: `${mark}.md`, content: words } }]],
    take: () => [[{ name: 'search_files', args: { query: 'word-', path: '.', in: 'contents' } }]],
  },
]
