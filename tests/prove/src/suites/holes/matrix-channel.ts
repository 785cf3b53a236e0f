/** Owns a channel of Matrix for attacks: a homeserver of tests, people on it, and the gateway's side. */
import { openMatrixPlatform } from '@countersign/channels/testing'
import { matrixAdapter } from '../../../../../packages/channels/src/matrix/adapter.ts'
import { createTestGateway } from '../../../../../packages/channels/src/testing/test-gateway.ts'
import type { Stage } from './stage.ts'

export const patienceMs = 20_000

export async function openMatrixChannel(stage: Stage) {
  const platform = await openMatrixPlatform()
  const { secrets, settings } = platform
  const gateway = createTestGateway({ adapter: matrixAdapter, settings, secrets, patienceMs })
  stage.afterwards(async () => {
    await gateway.stop()
    await platform.close()
  })
  gateway.start()
  await gateway.connected()
  return { platform, gateway }
}
