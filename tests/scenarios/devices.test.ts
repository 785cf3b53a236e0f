/** Pairing, sealing and revoking with the real gateway, its executor and its files. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ApprovalDetail,
  type DecideApproval,
  type DeviceReach,
  linkText,
  type PairingRequestView,
  pairingText,
  passkeyRequestText,
  type RequestedPasskey,
  type RequestPasskey,
  registrationText,
  sealText,
  type TrustStatement,
} from '@countersign/contract'
import {
  type Client,
  connect,
  createClient,
  type PairingCalls,
  pairingCalls,
  type Signer,
} from '@countersign/contract/client'
import {
  appendStatement,
  fileSigner,
  generateKey,
  type KeyPair,
  publicKeyOf,
  readKey,
  sha256Hex,
  signText,
  verifyText,
} from '@countersign/contract/node'
import { pairingWords } from '@countersign/contract/words'
import { type GatewayProcess, type Installation, openInstallation, settledRun } from '@countersign/harness'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Authenticator, createAuthenticator } from '../../packages/executor/src/testing/authenticator.ts'
import {
  deviceStatement,
  type Holder,
  newHolder,
  passkeyStatement,
  revocation,
  signedBy,
} from '../../packages/executor/src/testing/statements.ts'

let installation: Installation
let gateway: GatewayProcess
const root = (): Holder => installation.identity.device
const gatewayId = () => installation.identity.trust.gateway.id
const now = () => installation.now()

beforeAll(async () => {
  installation = await openInstallation({
    passing: true,
    environment: {
      COUNTERSIGN_PASSKEY_TOOLS: 'execute_python',
      COUNTERSIGN_PUBLIC_ORIGINS: 'https://house.example',
    },
    script: ({ lastUser, lastResults }) => {
      if (lastResults.length > 0) return { text: `Got: ${lastResults[0]?.text}` }
      const [tool = '', target = ''] = lastUser.split(' ')
      if (tool === 'shell')
        return { calls: [{ name: 'execute_shell', args: { command: `ln -s /etc/hostname ${target}` } }] }
      if (tool === 'python')
        return { calls: [{ name: 'execute_python', args: { code: `open('${target}', 'w').write('x')` } }] }
      return { text: 'Hm.' }
    },
  })
  gateway = await installation.start()
})
afterAll(() => installation.close())

// The limit on attempts is for everybody together, and every test asks.
beforeEach(() => installation.pass(61_000))

/** A page that knows the gateway's key, as the link of the operator's own program says it. */
function newcomer(url = gateway.url, key = installation.identity.trust.gateway.key): PairingCalls {
  return pairingCalls({
    url,
    isExpected: (info) => info.key === key,
    ports: {
      nonce: () => randomBytes(16).toString('hex'),
      hash: async (text) => sha256Hex(text),
      verify: async (by, text, signature) => verifyText(publicKeyOf(by), text, signature),
    },
  })
}

function clientOf({ id, keys }: Holder): Client {
  return createClient({ url: gateway.url, signer: signerOf({ id, keys }) })
}

function signerOf({ id, keys }: Holder): Signer {
  return { ...fileSigner({ trust: installation.identity.trust, device: { id, keys } }), now }
}

function askFor(keys: KeyPair, reach: DeviceReach, secret?: string) {
  const nonce = randomBytes(16).toString('base64url')
  const text = pairingText(installation.identity.trust.gateway.key, keys.publicKey, nonce)
  return {
    key: keys.publicKey,
    name: 'phone',
    platform: 'Linux',
    reach,
    nonce,
    signature: signText(keys.privateKey, text),
    ...(secret === undefined
      ? {}
      : { proof: createHmac('sha256', secret).update(linkText(keys.publicKey, nonce)).digest('base64') }),
  }
}

function wordsOf(gatewayKey: string, { key, nonce }: Pick<PairingRequestView, 'key' | 'nonce'>): string[] {
  return pairingWords(
    createHash('sha256')
      .update(pairingText(gatewayKey, key, nonce))
      .digest(),
  )
}

function letIn({ device, key, name, platform, reach }: PairingRequestView): Promise<unknown> {
  const statement: TrustStatement = {
    v: 1,
    gateway: gatewayId(),
    at: now().toISOString(),
    kind: 'device',
    device,
    key,
    name,
    platform,
    reach,
  }
  return gateway.client.stateDevice(signedBy(statement, root()))
}

async function paired(reach: DeviceReach): Promise<Holder> {
  const holder = newHolder()
  await gateway.client.stateDevice(signedBy(deviceStatement(gatewayId(), holder, reach, now()), root()))
  return holder
}

async function parkedOn(words: string): Promise<{ run: string; detail: ApprovalDetail }> {
  const { run } = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null,
    text: words,
    mode: 'auto',
  })
  const { approvals } = await settledRun(gateway.client, run ?? '', 'parked')
  return { run: run ?? '', detail: await gateway.client.approval(approvals[0]?.code ?? '') }
}

const digestIn = ({ subject }: ApprovalDetail) => sha256Hex(`countersign/approval/v2\0${subject}`)

function sealOf({ id, keys }: Holder, detail: ApprovalDetail): DecideApproval {
  const digest = digestIn(detail)
  const decidedAt = now().toISOString()
  const signature = signText(keys.privateKey, sealText(digest, id, decidedAt))
  return { verdict: 'approve', digest, seal: { by: 'device', device: id, decidedAt, signature } }
}

describe('pairing', () => {
  it('with words: both screens show the same six, and the new device speaks from then on', async () => {
    const calls = newcomer()
    const info = await calls.info()
    expect(info).toMatchObject({ gateway: gatewayId(), passkeys: false })
    const keys = generateKey()
    const asked = askFor(keys, 2)
    const { id, device } = await calls.request(asked)
    expect(await calls.state(id)).toMatchObject({ state: 'waiting' })

    const [waiting] = await gateway.client.pairingRequests()
    if (!waiting) throw new Error('nobody waits')
    expect(wordsOf(installation.identity.trust.gateway.key, waiting)).toEqual(wordsOf(info.key, asked))
    expect(wordsOf(generateKey().publicKey, waiting)).not.toEqual(wordsOf(info.key, asked))
    await expect(clientOf({ id: device, keys }).status()).rejects.toMatchObject({ code: 'not_authenticated' })

    await letIn(waiting)
    expect(await calls.state(id)).toEqual({ state: 'approved', device, reach: 2 })
    const { devices } = await clientOf({ id: device, keys }).devices()
    expect(devices.find(({ thisOne }) => thisOne)).toMatchObject({ id: device, reach: 2, root: false })
    expect(devices.find(({ root: isRoot }) => isRoot)).toMatchObject({ id: root().id, reach: 3 })
    expect(await gateway.client.pairingRequests()).toEqual([])
  })

  it('is refused by a person whose words differ, and what was refused stays out', async () => {
    const calls = newcomer()
    const keys = generateKey()
    const { id, device } = await calls.request(askFor(keys, 3))
    await gateway.client.refusePairing(id)
    expect(await calls.state(id)).toMatchObject({ state: 'refused' })
    await expect(clientOf({ id: device, keys }).status()).rejects.toMatchObject({ code: 'not_authenticated' })
    await expect(gateway.client.refusePairing(id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('ends after ten minutes, and takes three at a time and five attempts in a minute', async () => {
    const calls = newcomer()
    const made = [
      await calls.request(askFor(generateKey(), 2)),
      await calls.request(askFor(generateKey(), 2)),
    ]
    await calls.request(askFor(generateKey(), 2))
    await expect(calls.request(askFor(generateKey(), 2))).rejects.toMatchObject({ code: 'limit_reached' })
    await expect(calls.request({ ...askFor(generateKey(), 2), key: 'nonsense' })).rejects.toMatchObject({
      code: 'usage',
    })
    await expect(calls.request(askFor(generateKey(), 2))).rejects.toThrow('Too many')
    installation.pass(10 * 60_000)
    expect((await calls.state(made[0]?.id ?? '')).state).toBe('expired')
    expect(await gateway.client.pairingRequests()).toEqual([])
    await calls.request(askFor(generateKey(), 2))
  })

  it('through the link of the operator’s own program carries a proof that only its secret makes', async () => {
    const secret = randomBytes(32).toString('base64url')
    const { id } = await newcomer().request(askFor(generateKey(), 3, secret))
    const waiting = (await gateway.client.pairingRequests()).find((each) => each.id === id)
    const text = linkText(waiting?.key ?? '', waiting?.nonce ?? '')
    expect(createHmac('sha256', secret).update(text).digest('base64')).toBe(waiting?.proof)
    expect(createHmac('sha256', `${secret}x`).update(text).digest('base64')).not.toBe(waiting?.proof)
    await gateway.client.refusePairing(id)
  })

  it('tells strangers nothing else', async () => {
    for (const path of ['/v1/pairing/requests', '/v1/devices', '/v1/pairing/', '/v1/pairing/requests/xyz'])
      expect((await fetch(new URL(path, gateway.url))).status).toBe(401)
    for (const path of ['/v1/devices/statements', `/v1/pairing/requests/${'0'.repeat(32)}/refuse`])
      expect((await fetch(new URL(path, gateway.url), { method: 'POST', body: '{}' })).status).toBe(401)
    const elsewhere = { headers: { origin: 'http://localhost:1' } }
    expect((await fetch(new URL('/v1/pairing', gateway.url), elsewhere)).status).toBe(401)
  })
})

describe('a paired device', () => {
  it('that seals lets a T3 call run in the executor; one that only decides or looks does not', async () => {
    const { run, detail } = await parkedOn('shell sealed.txt')
    expect(detail.approval.card.tier).toBe(3)
    const [looking, deciding, sealing] = [await paired(0), await paired(2), await paired(3)]
    const code = detail.approval.code
    await expect(clientOf(looking).decide(code, sealOf(looking, detail))).rejects.toMatchObject({
      code: 'step_up_needed',
    })
    await expect(clientOf(deciding).decide(code, sealOf(deciding, detail))).rejects.toThrow('may not approve')
    await clientOf(sealing).decide(code, sealOf(sealing, detail))
    await settledRun(gateway.client, run)
    expect(existsSync(join(installation.paths.workspace, 'sealed.txt'))).toBe(true)
  })

  it('of reach 0 only looks, and of reach 2 changes nothing that gives authority', async () => {
    const [looking, deciding] = [await paired(0), await paired(2)]
    const message = { key: crypto.randomUUID(), session: null, text: 'hello', mode: 'auto' as const }
    await clientOf(looking).status()
    await expect(clientOf(looking).send(message)).rejects.toMatchObject({ code: 'step_up_needed' })
    await expect(clientOf(looking).pause()).rejects.toMatchObject({ code: 'step_up_needed' })
    await clientOf(deciding).send(message)
    await expect(clientOf(deciding).removeProvider('none')).rejects.toMatchObject({ code: 'step_up_needed' })
    await expect(clientOf(deciding).renameDevice(root().id, 'mine')).rejects.toMatchObject({
      code: 'step_up_needed',
    })
    const third = newHolder()
    await expect(
      clientOf(deciding).stateDevice(signedBy(deviceStatement(gatewayId(), third, 0, now()), deciding)),
    ).rejects.toThrow('may not let others in')
  })

  it('is gone when it is revoked: its connection, and its next request', async () => {
    const phone = await paired(2)
    const connection = await connect({
      url: gateway.url,
      signer: signerOf(phone),
      since: null,
      onFrame: () => undefined,
    })
    const { devices } = await gateway.client.devices()
    expect(devices.find(({ id }) => id === phone.id)).toMatchObject({ connections: 1 })
    await gateway.client.stateDevice(signedBy(revocation(gatewayId(), phone.id, now()), root()))
    expect(await connection.ended).toContain('revoked')
    await expect(clientOf(phone).status()).rejects.toMatchObject({ code: 'not_authenticated' })
    await expect(
      connect({ url: gateway.url, signer: signerOf(phone), since: null, onFrame: () => undefined }),
    ).rejects.toMatchObject({ code: 'not_authenticated' })
    const again = signedBy(deviceStatement(gatewayId(), phone, 2, now()), root())
    await expect(gateway.client.stateDevice(again)).rejects.toThrow('permanent')
  })

  it('may take itself away, is dropped when it is limited, and keeps the name that it was given', async () => {
    const phone = await paired(3)
    await gateway.client.renameDevice(phone.id, 'Ana’s phone')
    const connection = await connect({
      url: gateway.url,
      signer: signerOf(phone),
      since: null,
      onFrame: () => undefined,
    })
    installation.pass(1_000)
    await gateway.client.stateDevice(signedBy(deviceStatement(gatewayId(), phone, 0, now()), root()))
    await connection.ended
    const { devices } = await clientOf(phone).devices()
    expect(devices.find(({ thisOne }) => thisOne)).toMatchObject({ reach: 0, name: 'Ana’s phone' })
    await expect(gateway.client.renameDevice(root().id, 'ana’s phone')).rejects.toMatchObject({
      code: 'conflict',
    })
    await clientOf(phone).stateDevice(signedBy(revocation(gatewayId(), phone.id, now()), phone))
    await expect(clientOf(phone).status()).rejects.toMatchObject({ code: 'not_authenticated' })
  })

  it('that the gateway appointed itself is believed neither by the gateway nor by the executor', async () => {
    const forged = newHolder()
    const asGateway = { id: root().id, keys: readKey(join(installation.paths.keys, 'gateway.key')) }
    const statement = deviceStatement(gatewayId(), forged, 3, now())
    await expect(gateway.client.stateDevice(signedBy(statement, asGateway))).rejects.toThrow('does not fit')
    await expect(gateway.client.stateDevice(signedBy(statement, forged))).rejects.toThrow('unknown')
    appendStatement(installation.paths.devices, signedBy(statement, asGateway))
    await expect(clientOf(forged).status()).rejects.toMatchObject({ code: 'not_authenticated' })
    const { detail } = await parkedOn('shell forged.txt')
    const verdict = sealOf(forged, detail)
    await expect(gateway.client.decide(detail.approval.code, verdict)).rejects.toThrow('unknown or revoked')
    expect((await gateway.client.devices()).problems.at(-1)).toContain('does not fit')
    await gateway.client.decide(detail.approval.code, { verdict: 'deny', reason: '', stop: false })
    expect(existsSync(join(installation.paths.workspace, 'forged.txt'))).toBe(false)
  })

  it('leaves its coming and going in the ledger', async () => {
    const stream = await gateway.client.exportLedger()
    const text = await new Response(stream).text()
    for (const type of [
      'device.added',
      'device.limited',
      'device.revoked',
      'pairing.requested',
      'pairing.refused',
    ])
      expect(text).toContain(`"${type}"`)
    expect(await gateway.client.verifyLedger()).toMatchObject({ ok: true })
    expect(readFileSync(installation.paths.devices, 'utf8').trim().split('\n').length).toBeGreaterThan(8)
  })
})

describe('a passkey', () => {
  const port = () => Number(new URL(gateway.url).port)
  const passkey = createAuthenticator()
  const here = () => ({ origin: `http://localhost:${port()}` })

  function registered(device: Holder, challenge = registrationText(gatewayId(), device.id)) {
    const statement = passkeyStatement(gatewayId(), passkey, now())
    if (statement.kind !== 'passkey') throw new Error('not a passkey')
    const { clientData, attestationObject } = passkey.register(challenge, here())
    return {
      signed: { ...signedBy(statement, device), statement },
      registration: { clientData, attestationObject },
    }
  }

  it('is added when the authenticator shows that it made the key here, and not otherwise', async () => {
    const good = registered(root())
    await expect(gateway.client.stateDevice(good.signed)).rejects.toMatchObject({ code: 'usage' })
    await expect(
      gateway.client.registerPasskey(registered(root(), registrationText(gatewayId(), newHolder().id))),
    ).rejects.toMatchObject({ code: 'not_authenticated' })
    const other = { ...good.signed.statement, key: createAuthenticator().key }
    await expect(
      gateway.client.registerPasskey({ ...good, signed: { ...signedBy(other, root()), statement: other } }),
    ).rejects.toMatchObject({ code: 'not_authenticated' })
    await gateway.client.registerPasskey(good)
    expect((await gateway.client.devices()).passkeys).toMatchObject([
      { credential: passkey.credential, revokedAt: null },
    ])
    expect((await newcomer().info()).passkeys).toBe(true)
  })

  it('is needed to let a device in from then on, and suffices alone in a new browser', async () => {
    const browser = newHolder()
    const statement = deviceStatement(gatewayId(), browser, 3, now())
    await expect(gateway.client.stateDevice(signedBy(statement, root()))).rejects.toMatchObject({
      code: 'step_up_needed',
    })
    const calls = newcomer()
    const elsewhere = createAuthenticator()
    await expect(calls.byPasskey(signedBy(statement, null, elsewhere))).rejects.toThrow('unknown')
    // Proven on a page at another port of this machine.
    await expect(calls.byPasskey(signedBy(statement, null, passkey))).rejects.toThrow('does not fit')
    const proof = passkey.prove(`countersign/trust/v1\0${JSON.stringify({})}`, here())
    await expect(calls.byPasskey({ statement, by: null, passkey: proof })).rejects.toThrow('does not fit')
    const proven = { ...passkey, prove: (text: string) => passkey.prove(text, here()) }
    await calls.byPasskey(signedBy(statement, null, proven))
    expect((await clientOf(browser).devices()).devices.find(({ thisOne }) => thisOne)).toMatchObject({
      reach: 3,
    })
  })

  it('lets a T4 call run in the executor, and the seal of a device does not', async () => {
    const { run, detail } = await parkedOn('python critical.txt')
    expect(detail.approval.card.tier).toBe(4)
    const code = detail.approval.code
    await expect(gateway.client.decide(code, sealOf(root(), detail))).rejects.toThrow('passkey')
    const digest = digestIn(detail)
    const decidedAt = now().toISOString()
    const proof = passkey.prove(sealText(digest, passkey.credential, decidedAt), here())
    await gateway.client.decide(code, {
      verdict: 'approve',
      digest,
      seal: { by: 'passkey', decidedAt, ...proof },
    })
    const { run: ended } = await settledRun(gateway.client, run)
    expect(ended.text).toContain('Got:')
    expect(existsSync(join(installation.paths.workspace, 'critical.txt'))).toBe(true)
  })

  describe('at a second name', () => {
    const origin = 'https://house.example'
    const elsewhere = () => createAuthenticator({ site: 'house.example', origin })
    const provenHere = { ...passkey, prove: (text: string) => passkey.prove(text, here()) }
    let phone: Holder

    function madeBy(
      device: Holder,
      made: Authenticator,
      { site = 'house.example', challenge = registrationText(gatewayId(), device.id) } = {},
    ): RequestPasskey {
      const { clientData, attestationObject } = made.register(challenge)
      const { credential, key } = made
      return { credential, key, name: 'phone', site, registration: { clientData, attestationObject } }
    }

    const stated = ({ credential, key }: Authenticator): TrustStatement => ({
      v: 1,
      gateway: gatewayId(),
      at: now().toISOString(),
      kind: 'passkey',
      credential,
      key,
      name: 'phone',
      site: 'house.example',
    })
    const agreed = (made: Authenticator) => signedBy(stated(made), root(), provenHere)
    const states = async () => (await gateway.client.passkeyRequests()).map(({ state }) => state)

    async function pairedPhone(reach: DeviceReach = 3): Promise<Holder> {
      const holder = newHolder()
      await gateway.client.stateDevice(
        signedBy(deviceStatement(gatewayId(), holder, reach, now()), root(), provenHere),
      )
      return holder
    }

    it('cannot even be asked for until the host accepted the name', async () => {
      phone = await pairedPhone()
      await expect(clientOf(phone).requestPasskey(madeBy(phone, elsewhere()))).rejects.toThrow(
        'do not count there',
      )
      const at = now().toISOString()
      await gateway.client.stateDevice(
        signedBy({ v: 1, gateway: gatewayId(), at, kind: 'origin', origin }, root()),
      )
      expect(await states()).toEqual([])
    })

    it('is asked for by the device that made it, and by nobody who has none or may not seal', async () => {
      const made = elsewhere()
      // Filed at once it is refused: the passkey that exists cannot be used there.
      const { registration } = madeBy(phone, made)
      const statement = stated(made)
      if (statement.kind !== 'passkey') throw new Error('not a passkey')
      await expect(
        clientOf(phone).registerPasskey({
          signed: { ...signedBy(statement, phone), statement },
          registration,
        }),
      ).rejects.toMatchObject({ code: 'step_up_needed' })
      const reader = await pairedPhone(2)
      await expect(clientOf(reader).requestPasskey(madeBy(reader, made))).rejects.toMatchObject({
        code: 'step_up_needed',
      })
      // Made for another device, for another site, and with another key than it shows.
      await expect(clientOf(phone).requestPasskey(madeBy(root(), made))).rejects.toThrow('did not create')
      await expect(
        clientOf(phone).requestPasskey(madeBy(phone, made, { site: 'other.example' })),
      ).rejects.toThrow('do not count there')
      await expect(
        clientOf(phone).requestPasskey({ ...madeBy(phone, made), key: elsewhere().key }),
      ).rejects.toThrow('did not create')
      expect(await states()).toEqual([])
    })

    it('is agreed to by the passkey that exists, with the same words on both sides', async () => {
      const made = elsewhere()
      const sent = await clientOf(phone).requestPasskey(madeBy(phone, made))
      const [seen] = await gateway.client.passkeyRequests()
      expect(seen).toEqual(sent)
      const { devices } = await gateway.client.devices()
      const wordsWith = (gatewayKey: string, about: Omit<RequestedPasskey, 'gatewayKey'>) =>
        pairingWords(
          createHash('sha256')
            .update(passkeyRequestText({ gatewayKey, ...about }))
            .digest(),
        )
      const deviceKey = devices.find(({ id }) => id === seen?.device)?.key ?? ''
      const { credential, key, site } = sent
      const words = wordsWith(installation.identity.trust.gateway.key, { credential, key, site, deviceKey })
      expect(words).toEqual(
        wordsWith(installation.identity.trust.gateway.key, {
          credential: made.credential,
          key: made.key,
          site: 'house.example',
          deviceKey: phone.keys.publicKey,
        }),
      )
      // Neither the key of the host alone, nor a proof by the new passkey, nor one for another key.
      await expect(gateway.client.stateDevice(signedBy(stated(made), root()))).rejects.toMatchObject({
        code: 'step_up_needed',
      })
      await expect(gateway.client.stateDevice(signedBy(stated(made), phone, made))).rejects.toThrow(
        'unknown or revoked',
      )
      const swapped = { ...made, key: elsewhere().key }
      await expect(gateway.client.stateDevice(agreed(swapped))).rejects.toMatchObject({ code: 'usage' })
      expect(await states()).toEqual(['waiting'])
      await gateway.client.stateDevice(agreed(made))
      expect(await states()).toEqual(['approved'])
      await expect(gateway.client.stateDevice(agreed(made))).rejects.toMatchObject({ code: 'usage' })
      expect((await gateway.client.devices()).passkeys).toContainEqual(
        expect.objectContaining({ credential: made.credential, site: 'house.example', revokedAt: null }),
      )
      // The executor read the statement by itself: a critical call runs on the second passkey.
      const { run, detail } = await parkedOn('python second.txt')
      const digest = digestIn(detail)
      const decidedAt = now().toISOString()
      const proof = made.prove(sealText(digest, made.credential, decidedAt))
      await clientOf(phone).decide(detail.approval.code, {
        verdict: 'approve',
        digest,
        seal: { by: 'passkey', decidedAt, ...proof },
      })
      await settledRun(gateway.client, run)
      expect(existsSync(join(installation.paths.workspace, 'second.txt'))).toBe(true)
      await expect(clientOf(phone).requestPasskey(madeBy(phone, made))).rejects.toMatchObject({
        code: 'conflict',
      })
    })

    it('is refused on either side, replaced by another one, or forgotten, and then counts no more', async () => {
      const [first, second] = [elsewhere(), elsewhere()]
      const { id } = await clientOf(phone).requestPasskey(madeBy(phone, first))
      await gateway.client.refusePasskey(id)
      expect(await states()).toEqual(['refused'])
      await expect(gateway.client.stateDevice(agreed(first))).rejects.toMatchObject({ code: 'usage' })
      await clientOf(phone).requestPasskey(madeBy(phone, first))
      const { id: replaced } = await clientOf(phone).requestPasskey(madeBy(phone, second))
      expect(await states()).toEqual(['waiting'])
      await expect(gateway.client.stateDevice(agreed(first))).rejects.toMatchObject({ code: 'usage' })
      await clientOf(phone).refusePasskey(replaced)
      await expect(gateway.client.stateDevice(agreed(second))).rejects.toMatchObject({ code: 'usage' })
      await clientOf(phone).requestPasskey(madeBy(phone, second))
      installation.pass(5 * 60_000 + 1_000)
      await expect(gateway.client.stateDevice(agreed(second))).rejects.toMatchObject({ code: 'usage' })
      expect(await states()).toEqual([])
    })

    it('goes with the device that asked, and with the name', async () => {
      const made = elsewhere()
      const tablet = await pairedPhone()
      await clientOf(tablet).requestPasskey(madeBy(tablet, made))
      await gateway.client.stateDevice(signedBy(revocation(gatewayId(), tablet.id, now()), root()))
      expect(await states()).toEqual([])
      await expect(gateway.client.stateDevice(agreed(made))).rejects.toMatchObject({ code: 'usage' })
      await clientOf(phone).requestPasskey(madeBy(phone, made))
      await gateway.client.stateDevice(signedBy(revocation(gatewayId(), origin, now()), root()))
      expect(await states()).toEqual([])
      await expect(gateway.client.stateDevice(agreed(made))).rejects.toMatchObject({ code: 'usage' })
    })

    it('is told in the ledger', async () => {
      const text = await new Response(await gateway.client.exportLedger()).text()
      for (const type of ['passkey.requested', 'passkey.refused', 'passkey.added'])
        expect(text).toContain(`"${type}"`)
    })
  })
})
