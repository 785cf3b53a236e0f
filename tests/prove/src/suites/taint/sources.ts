/** Owns where words come from in a flow, and what each is worth as it comes in. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Label } from '@countersign/contract'
import type { AdversaryInstallation, Script } from '../adversary/installation.ts'
import type { TaskTurn } from '../adversary/task.ts'

export interface Source {
  readonly name: string
  readonly label: Pick<Label, 'integrity' | 'confidentiality'>
  /** Lays the words where the calls find them. */
  lay(installation: AdversaryInstallation, mark: string, words: string): void
  calls(mark: string, web: string): TaskTurn
  /** What a model says that is asked in the course of it, by the mark that it is asked with. */
  scripts?(mark: string, words: string): Readonly<Record<string, Script>>
}

export const sources: readonly Source[] = [
  {
    name: 'a letter',
    label: { integrity: 'untrusted', confidentiality: 'private' },
    lay: ({ mail }, mark, words) => {
      mail.inbox = [...mail.inbox, { from: 'a@elsewhere.example', subject: mark, body: words }]
    },
    calls: (mark) => [{ name: 'read_inbox', args: { search: mark } }],
  },
  {
    name: 'a page',
    label: { integrity: 'untrusted', confidentiality: 'public' },
    lay: ({ web }, mark, words) => {
      web.pages = new Map([...web.pages, [`/${mark}`, words]])
    },
    calls: (mark, web) => [{ name: 'fetch_web_page', args: { url: `${web}/${mark}` } }],
  },
  {
    name: 'an answer of a server',
    label: { integrity: 'untrusted', confidentiality: 'public' },
    lay: ({ web }, mark, words) => {
      web.pages = new Map([...web.pages, [`/${mark}`, words]])
    },
    calls: (mark, web) => [{ name: 'http_request', args: { url: `${web}/${mark}` } }],
  },
  {
    name: 'a file of the operator',
    label: { integrity: 'tool', confidentiality: 'private' },
    lay: ({ paths }, mark, words) => writeFileSync(join(paths.workspace, `${mark}.txt`), words),
    calls: (mark) => [{ name: 'read_file', args: { path: `${mark}.txt` } }],
  },
  {
    // A page has told the reader what to say.
    name: 'the text of a reader',
    label: { integrity: 'untrusted', confidentiality: 'public' },
    lay: () => undefined,
    calls: (mark) => [
      { name: 'read_web', args: { question: `What is new? [#${mark}]`, answer: { kind: 'text' } } },
    ],
    scripts: (mark, words) => ({ [mark]: () => ({ text: words }) }),
  },
]
