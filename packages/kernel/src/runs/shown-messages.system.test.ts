import type { ModelRequest } from '@countersign/agent'
import { type Attachment, attachmentOf, type Label, type RunId, type SessionId } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { pngOf } from '../pictures/testing.ts'
import { openTestKernel, type Reply, resolutionOf, type TestKernel } from '../testing/test-kernel.ts'

const desk = { kind: 'operator' as const, id: 'desk', reach: 3 as const }

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
let asked: ModelRequest[]
let reply: (request: ModelRequest) => Reply

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, (request) => {
    asked.push(request)
    return reply(request)
  })
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})
beforeEach(() => {
  asked = []
  testKernel.takesPictures = true
  reply = () => ({ text: 'Seen.' })
})

const operator = () => testKernel.kernel.operator
let made = 0
function picture(folder = 'attachments'): Attachment {
  made += 1
  const bytes = pngOf(5, 5, `number ${made}`)
  const path = `${folder}/${made}.png`
  testKernel.files.set(path, bytes)
  return attachmentOf({ path, name: 'photo.png', sha256: sha256Hex(bytes), bytes: bytes.length })
}

async function say(text: string, attachments: Attachment[], session: string | null = null) {
  const admitted = await testKernel.kernel.admit(operator(), {
    key: crypto.randomUUID(),
    session: session as SessionId | null,
    text,
    attachments,
    mode: 'auto',
    requester: { kind: 'operator', id: 'desk' },
  })
  return { run: admitted.run as RunId, session: admitted.session }
}

const labelOf = (run: RunId): Promise<Label> =>
  testKernel.kernel.readOnly(operator(), async (db) => {
    const row = await db.selectFrom('runs').select('label').where('id', '=', run).executeTakeFirstOrThrow()
    return row.label
  })
const imagesIn = (request: ModelRequest | undefined) =>
  request?.messages.flatMap((message) => (message.role === 'user' ? (message.images ?? []) : [])).length
const strangers = (path: string) => ({ integrity: 'untrusted', sources: expect.arrayContaining([path]) })

describe('a picture in the prompt', () => {
  it('makes the run worth what the file is worth, and later runs of the conversation too', async () => {
    const photo = picture()
    const { run, session } = await say('Look.', [photo])
    await testKernel.settled(run)
    expect(imagesIn(asked[0])).toBe(1)
    expect(await labelOf(run)).toMatchObject(strangers(photo.path))
    testKernel.files.delete(photo.path)
    const later = await say('And?', [], session)
    await testKernel.settled(later.run)
    // It is gone from the prompt; what was answered to it is not.
    expect(imagesIn(asked[1])).toBe(0)
    expect(await labelOf(later.run)).toMatchObject(strangers(photo.path))
  })

  it('of the operator’s own folder leaves the run trusted, and private as every file', async () => {
    const { run } = await say('Look.', [picture('photos')])
    await testKernel.settled(run)
    expect(imagesIn(asked[0])).toBe(1)
    expect(await labelOf(run)).toEqual({ integrity: 'tool', confidentiality: 'private', sources: [] })
  })

  it('that the operator called theirs is theirs', async () => {
    const photo = picture()
    await testKernel.kernel.files.trust(operator(), photo.path, desk)
    const { run } = await say('Look.', [photo])
    await testKernel.settled(run)
    expect(await labelOf(run)).toMatchObject({ integrity: 'tool', sources: [] })
  })

  it('is neither read nor counted while no model takes pictures, and counts from the first that does', async () => {
    testKernel.takesPictures = false
    const photo = picture()
    reply = ({ messages }) =>
      messages.at(-1)?.role === 'tool' ? { text: 'Sent.' } : { calls: [{ name: 'send', args: {} }] }
    const { run } = await say('Send it.', [photo])
    const parked = await testKernel.settled(run, 'parked')
    expect(imagesIn(asked[0])).toBe(0)
    expect((await labelOf(run)).integrity).toBe('operator')
    // The segment that ends the call shows the picture: the end of the call must not take its label away.
    testKernel.takesPictures = true
    await testKernel.approve(parked.approvals[0]?.id ?? '')
    await testKernel.settled(run)
    expect(imagesIn(asked[1])).toBe(1)
    expect(await labelOf(run)).toMatchObject(strangers(photo.path))
  })

  it('is the same after a restart', async () => {
    const photo = picture()
    const { run, session } = await say('Look.', [photo])
    await testKernel.settled(run)
    await testKernel.reopen()
    const later = await say('And?', [], session)
    await testKernel.settled(later.run)
    expect(imagesIn(asked[1])).toBe(1)
    expect(await labelOf(later.run)).toMatchObject(strangers(photo.path))
  })
})

describe('a picture that a call made', () => {
  const write = { op: 'write', root: 'workspace', path: 'shot.png' }
  const shot = pngOf(7, 7)
  const named = { path: 'shot.png', sha256: sha256Hex(shot), bytes: shot.length }

  async function shoot(pictures: readonly (typeof named)[]) {
    const { answer, resolution } = testKernel
    testKernel.files.set('shot.png', shot)
    testKernel.files.set('other.png', shot)
    testKernel.resolution = (tool) => ({
      ...resolutionOf(tool),
      resources: [{ type: 'file', ...write, content: null, version: null } as never],
    })
    testKernel.answer = async (permit) => {
      const done = await answer(permit)
      return done.kind === 'done' ? { ...done, result: { ...done.result, pictures: [...pictures] } } : done
    }
    reply = ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'Seen.' }
        : { calls: [{ name: 'look', args: {} }] }
    const said = await say('Shoot.', [])
    await testKernel.settled(said.run)
    Object.assign(testKernel, { answer, resolution })
    return said
  }

  it('is shown in the next turn and in the next run', async () => {
    const { session } = await shoot([named])
    expect(asked.map(imagesIn)).toEqual([0, 1])
    reply = () => ({ text: 'Yes.' })
    const later = await say('Again?', [], session)
    await testKernel.settled(later.run)
    expect(imagesIn(asked[2])).toBe(1)
  })

  it('is shown only where the permit let the call write it', async () => {
    await shoot([{ ...named, path: 'other.png' }])
    expect(asked.map(imagesIn)).toEqual([0, 0])
  })
})
