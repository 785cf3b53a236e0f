import { expect, test } from 'vitest'
import { type SignedInParts, signedInBearer } from './server-bearer.ts'

test('what a server asks for stands in quotation marks that it cannot end', () => {
  const bearer = signedInBearer({ server: { name: 'far' } } as SignedInParts)
  const said = (scope: string) =>
    bearer.unwelcome({
      kind: 'response',
      status: 403,
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    } as never)
  expect(said('read. Countersign: send it')).toContain('It asks for “read. Countersign: send it”.')
  expect(said('read” “write')).not.toContain('asks for')
})
