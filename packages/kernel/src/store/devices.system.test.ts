import { randomUUIDv7 } from 'node:crypto'
import { idFrom } from '@countersign/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestDatabase, type TestDatabase } from '../../../../tests/harness/src/postgres.ts'
import type { Kernel } from '../kernel.ts'
import { openIdleKernel } from '../testing/idle-kernel.ts'

let database: TestDatabase
let kernel: Kernel
const at = '2026-11-15T10:00:00.000Z'
const phone = {
  id: idFrom('dev', randomUUIDv7()),
  name: 'phone',
  key: 'key',
  addedAt: at,
  revokedAt: null as string | null,
}
const enrol = (...devices: (typeof phone)[]) => kernel.devices.enrol(kernel.operator, devices, new Date(at))

beforeAll(async () => {
  database = await startTestDatabase()
  kernel = await openIdleKernel({ connection: database.connection, clock: () => new Date() })
})
afterAll(async () => {
  await kernel.close()
  await database.stop()
})

it('a device that was revoked stays so, also when an older list has it as it was', async () => {
  await enrol(phone)
  expect(await kernel.devices.lookUp(phone.id)).toMatchObject({ name: 'phone' })
  await enrol({ ...phone, revokedAt: at })
  expect(await kernel.devices.lookUp(phone.id)).toBeNull()
  await enrol(phone)
  expect(await kernel.devices.lookUp(phone.id)).toBeNull()
})
