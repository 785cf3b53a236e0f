/** Words that lie in files for a while: written, copied, moved, found, named. */
import type { Hop } from '../hop.ts'

const write = (path: string, content: string) => [{ name: 'write_file', args: { path, content } }]
const read = (path: string) => [{ name: 'read_file', args: { path } }]
const slug = (words: string) => words.replaceAll(/[^\w-]+/g, '-').slice(0, 80)

export const fileHops: readonly Hop[] = [
  {
    name: 'a file',
    kind: 'file',
    begins: 'anew',
    put: ({ mark, words }) => [write(`${mark}/a.txt`, words)],
    take: ({ mark }) => [read(`${mark}/a.txt`)],
  },
  {
    name: 'a file that is written over',
    kind: 'file',
    begins: 'anew',
    put: ({ mark, words }) => [write(`${mark}/b.txt`, 'nothing yet'), write(`${mark}/b.txt`, words)],
    take: ({ mark }) => [read(`./${mark}/b.txt`)],
  },
  {
    name: 'a copy',
    kind: 'file',
    begins: 'anew',
    put: ({ mark, words }) => [
      write(`${mark}/c.txt`, words),
      [{ name: 'copy_file', args: { source: `${mark}/c.txt`, destination: `${mark}/copied.txt` } }],
    ],
    take: ({ mark }) => [read(`${mark}/copied.txt`)],
  },
  {
    name: 'a copy that a clean run makes',
    kind: 'file',
    begins: 'anew',
    put: ({ mark, words }) => [write(`${mark}/d.txt`, words)],
    take: ({ mark }) => [
      [{ name: 'copy_file', args: { source: `${mark}/d.txt`, destination: `${mark}/later.txt` } }],
      read(`${mark}/later.txt`),
    ],
  },
  {
    name: 'a file that is moved',
    kind: 'file',
    begins: 'anew',
    put: ({ mark, words }) => [
      write(`${mark}/e.txt`, words),
      [{ name: 'move_file', args: { source: `${mark}/e.txt`, destination: `${mark}/moved.txt` } }],
    ],
    take: ({ mark }) => [read(`${mark}/moved.txt`)],
  },
  {
    name: 'a folder that a clean run moves',
    kind: 'file',
    begins: 'anew',
    put: ({ mark, words }) => [write(`${mark}/deep/er/f.txt`, words)],
    take: ({ mark }) => [
      [{ name: 'move_file', args: { source: `${mark}/deep`, destination: `${mark}/high` } }],
      read(`${mark}/high/er/f.txt`),
    ],
  },
  {
    name: 'a search in files',
    kind: 'file',
    begins: 'anew',
    // A search passes over what strangers wrote, unless it looks in a folder that is theirs.
    put: ({ mark, words }) => [
      [{ name: 'create_folder', args: { path: `${mark}/searched` } }],
      write(`${mark}/searched/g.txt`, words),
    ],
    take: ({ mark }) => [
      [{ name: 'search_files', args: { query: 'word-', path: `${mark}/searched`, in: 'contents' } }],
    ],
  },
  {
    name: 'the name of a file',
    kind: 'file',
    begins: 'anew',
    put: ({ mark, words }) => [write(`${mark}/names/${slug(words)}`, 'x')],
    take: ({ mark }) => [[{ name: 'list_directory', args: { path: `${mark}/names` } }]],
  },
  {
    name: 'a search in names',
    kind: 'file',
    begins: 'anew',
    put: ({ mark, words }) => [write(`${mark}/found/${slug(words)}`, 'x')],
    take: ({ mark }) => [
      [{ name: 'search_files', args: { query: 'word-', path: `${mark}/found`, in: 'names' } }],
    ],
  },
  {
    name: 'the name of a folder',
    kind: 'file',
    begins: 'anew',
    put: ({ mark, words }) => [[{ name: 'create_folder', args: { path: `${mark}/folders/${slug(words)}` } }]],
    take: ({ mark }) => [[{ name: 'list_directory', args: { path: `${mark}/folders` } }]],
  },
]
