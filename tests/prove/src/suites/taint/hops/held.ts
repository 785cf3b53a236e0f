/** Words that a program of a clean conversation puts into files of its own; what it changed was held and then taken over. */
import { turnOf } from '../../adversary/sight.ts'
import type { Hop } from '../hop.ts'

/** In a conversation of its own, so that only what was taken over can carry the words on. */
const taken = (name: string, command: (mark: string) => string, made: string): Hop => ({
  name,
  kind: 'program',
  needs: ['execute_shell'],
  begins: 'anew',
  put: ({ mark, words }) => [[{ name: 'write_file', args: { path: `${mark}/from.txt`, content: words } }]],
  async act(installation, { mark }) {
    const args = { command: command(mark) }
    await installation.talk({
      mark: `${mark}t`,
      text: 'Sort the files.',
      script: (request) =>
        turnOf(request) === 0 ? { calls: [{ name: 'execute_shell', args }] } : { text: 'Done.' },
      verdict: () => 'approve',
    })
  },
  take: ({ mark }) => [[{ name: 'read_file', args: { path: `${mark}/${made}` } }]],
})

export const heldHops: readonly Hop[] = [
  taken('what a clean run takes over', (mark) => `cd ${mark}; cat from.txt > made.txt`, 'made.txt'),
  taken(
    'what a clean run takes over under other times',
    (mark) => `cd ${mark}; cp from.txt made.md; touch -d 2001-01-01 made.md .`,
    'made.md',
  ),
  taken(
    'what a clean run takes over as a folder',
    (mark) => `cd ${mark}; mkdir -p a/b; mv from.txt a/b/; cp -r a c; rm -r a`,
    'c/b/from.txt',
  ),
]
