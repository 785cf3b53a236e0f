/** The marks on files of the scripted gateway. */
import { type FileMarks, FilePath } from '@countersign/contract'
import type { SeenRequest } from './models.ts'

export interface FakeFiles {
  found: FileMarks
  readonly said: string[]
  /** Undefined when the request is about something else. */
  answer(request: SeenRequest): unknown
}

const at = '2026-08-01T11:00:00.000Z'

export function fakeFiles(): FakeFiles {
  const label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.com'] } as const
  const fake: FakeFiles = {
    found: {
      marks: [{ path: 'downloads/a.txt', label: { ...label, sources: [...label.sources] }, markedAt: at }],
      more: false,
      own: [{ path: 'project', saidAt: at }],
    },
    said: [],
    answer({ method, path, body }) {
      const [, , noun = '', verb = ''] = path.split('/')
      if (noun !== 'files') return undefined
      if (method === 'GET') return fake.found
      const given = FilePath.parse(body)
      fake.said.push(`${verb} ${given.path}`)
      return verb === 'trust' ? { ...given, removed: 1, ledger: 7 } : { ...given, ledger: 7 }
    },
  }
  return fake
}
