/** Owns what calls in tests touch: each a whole resource of which a test says only what matters to it. */
import type { ExecResource, FileResource, RecordResource, UrlResource } from '@countersign/contract'

/** Absolute paths lie on the host, all others in the workspace. */
export const madeFile = (path: string, op: FileResource['op'] = 'read'): FileResource => ({
  type: 'file',
  root: path.startsWith('/') ? 'host' : 'workspace',
  path,
  op,
  identity: 'absent',
  content: null,
})

/** A program that cannot be looked into, unless the test says otherwise. */
export const madeProgram = (change: Partial<ExecResource> = {}): ExecResource => ({
  type: 'exec',
  path: '/bin/bash',
  content: '',
  argv: [],
  cwd: '.',
  environment: '',
  uninspectable: true,
  view: null,
  ...change,
})

export const madePage = (host: string): UrlResource => ({
  type: 'url',
  scheme: 'https',
  host,
  port: 443,
  method: 'GET',
  addressClass: 'name',
  redirects: 'refused',
  carries: 'address',
})

export const madeRecord = (
  op: RecordResource['op'],
  change: Partial<RecordResource> = {},
): RecordResource => ({
  type: 'record',
  collection: 'tasks',
  id: '1',
  op,
  version: 1,
  ...change,
})
