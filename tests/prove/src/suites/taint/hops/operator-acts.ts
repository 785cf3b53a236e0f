/** Words that the operator's own hand carries: brought in by a program of theirs, attached, or brought back by an undo. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { sendSigned, settledRun } from '@countersign/harness'
import type { Hop } from '../hop.ts'

const read = (path: string) => [{ name: 'read_file', args: { path } }]

export const operatorHops: readonly Hop[] = [
  {
    name: 'a repository that the operator cloned',
    kind: 'hand',
    needs: ['git_log'],
    begins: 'anew',
    put: () => [],
    async act({ paths }, { mark, words }) {
      const folder = join(paths.workspace, mark)
      const git = (...args: string[]) =>
        execFileSync('git', ['-C', folder, '-c', 'user.name=Me', '-c', 'user.email=me@here', ...args], {
          stdio: 'pipe',
        })
      execFileSync('git', ['init', '-q', folder], { stdio: 'pipe' })
      git('commit', '-q', '--allow-empty', '-m', words)
    },
    take: ({ mark }) => [[{ name: 'git_log', args: { path: mark } }]],
  },
  {
    name: 'a record that a program of the operator brings in',
    kind: 'hand',
    begins: 'anew',
    put: () => [],
    act: ({ gateway, signer }, { mark, words }) =>
      sendSigned({ url: gateway.url, signer }, 'POST', '/v1/notes?source=import', {
        title: `I ${mark}`,
        content: words,
      }),
    take: ({ mark }) => [[{ name: 'list_notes', args: { search: mark } }]],
  },
  {
    name: 'a file that is attached',
    kind: 'hand',
    begins: 'anew',
    put: () => [],
    async act({ client }, { mark, words }) {
      const path = `attachments/${mark}.txt`
      const { run } = await client.callTool('write_file', JSON.stringify({ path, content: words }))
      await settledRun(client, run, 'stopped', 30_000)
    },
    take: ({ mark }) => [read(`attachments/${mark}.txt`)],
  },
  {
    name: 'a file that an undo brings back',
    kind: 'hand',
    begins: 'anew',
    put: ({ mark, words }) => [[{ name: 'write_file', args: { path: `${mark}/u.txt`, content: words } }]],
    async act({ client }, { mark }) {
      const args = JSON.stringify({ path: `${mark}/u.txt`, content: 'My own words.' })
      const { run } = await client.callTool('write_file', args)
      await settledRun(client, run, 'stopped', 30_000)
      const undoing = await client.undoRun(run)
      await settledRun(client, undoing.run, 'stopped', 30_000)
    },
    take: ({ mark }) => [read(`${mark}/u.txt`)],
  },
]
