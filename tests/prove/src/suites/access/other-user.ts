/** Asks as another user of the same host, who has the loopback address and no key. Needs root to become one. */
import { execFileSync } from 'node:child_process'
import type { AccessRequest } from './caller.ts'

const nobody = 65_534

const program = `
import http.client, json, sys
port = int(sys.argv[1])
for asked in json.load(sys.stdin):
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    connection.request(asked['method'], asked['path'], asked['body'], {'content-type': 'application/json'})
    print(connection.getresponse().status, flush=True)
    connection.close()
`

export function canBeAnotherUser(): boolean {
  return process.getuid?.() === 0
}

/** The status of each answer. */
export function askAsAnotherUser(port: number, asked: readonly AccessRequest[]): number[] {
  const identity = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
  const told = execFileSync('setpriv', [...identity, '/usr/bin/python3', '-c', program, String(port)], {
    cwd: '/',
    input: JSON.stringify(asked),
    encoding: 'utf8',
  })
  return told.trim().split('\n').map(Number)
}
