import { createHash, createHmac, randomBytes, randomUUIDv7 } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  CountersignError,
  type DeviceList,
  type DeviceView,
  idFrom,
  invitationText,
  linkText,
  type PairingRequestView,
  type PasskeyRequestView,
  pairingText,
  passkeyRequestText,
  SignedStatement,
  statementText,
} from '@countersign/contract'
import {
  fingerprint,
  generateKey,
  type HostIdentity,
  publicKeyOf,
  verifyText,
} from '@countersign/contract/node'
import { pairingWords } from '@countersign/contract/words'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createContext, type GlobalFlags, type OptionValues } from '../context.ts'
import { failed, written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import { type FakeRequest, fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { deviceRows } from './rows/device.ts'

const now = new Date('2026-08-01T12:00:00.000Z')
let home: TestHome
let identity: HostIdentity
let known: DeviceList
let waiting: PairingRequestView[]
let waitingPasskeys: PasskeyRequestView[]
let stated: SignedStatement[]
let sent: FakeRequest[]
let opened: string[][]
let pages: { readonly path: string; readonly text: string; readonly mode: number; readonly folder: number }[]

beforeEach(() => {
  home = testHome()
  identity = home.establish()
  known = {
    devices: [deviceView('desk', { id: identity.device.id, root: true, thisOne: true })],
    passkeys: [],
    origins: [],
    problems: [],
  }
  waiting = []
  waitingPasskeys = []
  stated = []
  sent = []
  opened = []
  pages = []
})
afterEach(() => home.remove())

/** The page as it is when the browser is started. */
function pageAt(path: string) {
  const modeOf = (of: string) => statSync(of).mode & 0o777
  return { path, text: readFileSync(path, 'utf8'), mode: modeOf(path), folder: modeOf(dirname(path)) }
}

function deviceView(name: string, changed: Partial<DeviceView> = {}): DeviceView {
  return {
    id: idFrom('dev', randomUUIDv7()),
    name,
    platform: 'Linux',
    key: generateKey().publicKey,
    reach: 3,
    addedAt: '2026-07-31T12:00:00.000Z',
    revokedAt: null,
    root: false,
    seenAt: null,
    connections: 0,
    thisOne: false,
    ...changed,
  }
}

function request(name: string, secret?: string): PairingRequestView {
  const key = generateKey().publicKey
  const nonce = randomBytes(16).toString('base64url')
  return {
    id: randomUUIDv7().replaceAll('-', ''),
    device: idFrom('dev', randomUUIDv7()),
    key,
    name,
    platform: 'Android',
    reach: 3,
    nonce,
    proof:
      secret === undefined
        ? null
        : createHmac('sha256', secret).update(linkText(key, nonce)).digest('base64'),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 300_000).toISOString(),
  }
}

const wordsOf = ({ key, nonce }: PairingRequestView) =>
  pairingWords(
    createHash('sha256')
      .update(pairingText(identity.trust.gateway.key, key, nonce))
      .digest(),
  ).join(' ')

function answer(asked: FakeRequest): unknown {
  sent.push(asked)
  const { method, path } = asked
  if (path === '/v1/devices') return known
  if (path === '/v1/pairing/requests') return waiting
  if (path === '/v1/devices/passkeys/requests') return waitingPasskeys
  if (path === '/v1/pairing/invitations') return { expiresAt: now.toISOString() }
  if (path === '/v1/devices/statements') {
    stated.push(SignedStatement.parse(asked.body))
    return { ok: true, ledger: 7 }
  }
  if (method === 'POST') return { ok: true, ledger: 8 }
  throw new CountersignError('not_found', path)
}

interface Setting {
  readonly flags?: Partial<GlobalFlags>
  readonly typed?: string
  readonly values?: Record<string, string>
  /** What happens while the command waits. */
  readonly meanwhile?: (said: string) => void
}

async function command(name: string, args: string[] = [], options: OptionValues = {}, setting: Setting = {}) {
  const row = deviceRows.find((each) => each.name === name)
  if (!row) throw new Error(`no ${name}`)
  let time = now.getTime()
  const made = testHost({
    home,
    clock: () => new Date(time),
    terminal: setting.typed !== undefined,
    values: setting.values ?? {},
    platform: 'linux',
    runProgram: async (program, given) => {
      opened.push([program, ...given])
      pages.push(...given.filter((path) => path.endsWith('.html')).map(pageAt))
      return { kind: 'ran', code: 0, output: '', errors: '' }
    },
  })
  const host = {
    ...made,
    wait: async (ms: number) => {
      time += ms
      setting.meanwhile?.(made.complaints())
    },
  }
  if (setting.typed !== undefined) made.typed.write(`${setting.typed}\n`)
  const flags: GlobalFlags = { ...usualFlags, plain: true, ...setting.flags }
  const context = {
    ...createContext(host, flags),
    gateway: () =>
      Promise.resolve({ url: 'http://127.0.0.1:7347', client: fakeClient(answer), identity } as never),
  }
  const outcome = await (async () => {
    try {
      return written(await (await row.load())(context, args, options), false)
    } catch (error) {
      return written(failed(await failureOf(error)), false)
    }
  })()
  return { ...outcome, said: made.complaints(), text: `${made.written()}${outcome.output}${outcome.errors}` }
}

function isSigned({ statement, by }: SignedStatement): boolean {
  const key = publicKeyOf(identity.device.keys.publicKey)
  return by?.device === identity.device.id && verifyText(key, statementText(statement), by.signature)
}

describe('device list and device show', () => {
  it('put who asks to be let in first, with the words to compare', async () => {
    const asking = request('Chrome on Android')
    waiting = [asking]
    known.devices.push(
      deviceView('tablet', { reach: 0, connections: 2 }),
      deviceView('Netscape on Atari', { revokedAt: now.toISOString() }),
    )
    known.passkeys.push({
      credential: 'c'.repeat(20),
      name: 'YubiKey',
      site: 'localhost',
      addedAt: now.toISOString(),
      revokedAt: null,
    })
    const { text } = await command('device list')
    expect(text.indexOf('wants to pair')).toBeGreaterThanOrEqual(0)
    expect(text.indexOf('wants to pair')).toBeLessThan(text.indexOf('desk (this one)'))
    expect(text).toContain(wordsOf(asking))
    expect(text).toMatch(/tablet +look, not decide +Linux +connected/)
    expect(text).toContain('YubiKey')
    expect(text).not.toContain('Netscape')
    expect((await command('device list', [], { all: true })).text).toContain('Netscape')
  })

  it('find a device by name and by the beginning of its id, and say when several are meant', async () => {
    const [first, second] = [deviceView('phone'), deviceView('phone')]
    known.devices.push(first, second)
    expect((await command('device show', [first.id])).text).toContain(first.id)
    expect((await command('device show', ['DESK'])).text).toContain('by the trust file of the host')
    const { errors } = await command('device show', ['phone'])
    expect(errors).toContain('Several devices are called phone.')
    expect(errors).toContain(second.id)
    expect((await command('device show', ['nobody'])).exit).toBe(3)
  })
})

describe('device approve', () => {
  it('signs for exactly the key whose words were compared', async () => {
    const asking = request('phone')
    waiting = [asking]
    const { text } = await command('device approve', [], { reach: 'decide' }, { typed: 'y' })
    expect(text).toContain(wordsOf(asking))
    expect(text).toContain('phone is connected. It can approve what stays in your hands.  Ledger #7')
    expect(stated).toMatchObject([
      { statement: { kind: 'device', device: asking.device, key: asking.key, reach: 2 }, passkey: null },
    ])
    expect(stated.every(isSigned)).toBe(true)
  })

  it('signs nothing when the person says anything but yes', async () => {
    waiting = [request('phone')]
    for (const typed of ['', 'n', 'yes'])
      expect((await command('device approve', [], {}, { typed })).text).toContain(
        'The request is still pending.',
      )
    expect(stated).toEqual([])
  })

  it('takes the words instead of a person, and neither others nor none', async () => {
    const asking = request('phone')
    waiting = [asking]
    const other = wordsOf(request('phone'))
    expect((await command('device approve', [], { words: other })).errors).toContain('The words differ')
    expect((await command('device approve', [], {}, { flags: { yes: true } })).exit).toBe(2)
    expect((await command('device approve')).exit).toBe(2)
    expect(stated).toEqual([])
    const words = wordsOf(asking).toUpperCase().replaceAll(' ', ', ')
    expect((await command('device approve', [], { words })).exit).toBe(0)
    expect(stated).toHaveLength(1)
  })

  it('needs a name while several ask, and refuses on request', async () => {
    waiting = [request('phone'), request('tablet')]
    expect((await command('device approve', [], { refuse: true })).errors).toContain('2 devices want to pair')
    expect((await command('device approve', ['tablet'], { refuse: true })).text).toContain('Refused tablet.')
    expect(sent.at(-1)?.path).toBe(`/v1/pairing/requests/${waiting[1]?.id}/refuse`)
    waiting = []
    waitingPasskeys = []
    expect((await command('device approve')).errors).toContain('There is no pairing request')
  })
})

describe('a passkey that waits for another one', () => {
  function madeOn(device: DeviceView, name: string): PasskeyRequestView {
    return {
      id: randomUUIDv7().replaceAll('-', ''),
      device: device.id,
      credential: randomBytes(32).toString('base64url'),
      key: randomBytes(77).toString('base64'),
      name,
      site: 'house.example',
      state: 'waiting',
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + 240_000).toISOString(),
    }
  }

  it('is listed with the words that its device shows, and with the place where it is approved', async () => {
    const phone = deviceView('phone')
    const made = madeOn(phone, 'thumb')
    const refused: PasskeyRequestView = { ...madeOn(phone, 'refused'), state: 'refused' }
    known.devices.push(phone)
    waitingPasskeys = [made, refused, madeOn(deviceView('unlisted'), 'of nobody')]
    const { credential, key, site } = made
    const about = { gatewayKey: identity.trust.gateway.key, deviceKey: phone.key, site, credential, key }
    const words = pairingWords(createHash('sha256').update(passkeyRequestText(about)).digest()).join(' ')
    const { text } = await command('device list')
    expect(text).toContain('phone made the passkey thumb')
    expect(text).toContain(words)
    expect(text).toContain('`countersign open devices`')
    expect(text).not.toMatch(/refused|of nobody/)
  })

  it('is refused in a terminal and never approved there', async () => {
    const made = madeOn(deviceView('phone'), 'thumb')
    waitingPasskeys = [made]
    for (const args of [[], ['thumb'], [made.id.slice(0, 8)]]) {
      const { errors, exit } = await command('device approve', args)
      expect(exit).not.toBe(0)
      expect(errors).toContain('A terminal has no passkey')
      expect(errors).toContain('`countersign open devices`')
    }
    expect(stated).toEqual([])
    const { text } = await command('device approve', ['thumb'], { refuse: true })
    expect(text).toContain('Refused the passkey thumb.')
    expect(sent.at(-1)?.path).toBe(`/v1/devices/passkeys/requests/${made.id}/refuse`)
  })

  it('stands behind a device that asks to be paired', async () => {
    waiting = [request('tablet')]
    waitingPasskeys = [madeOn(deviceView('phone'), 'thumb')]
    await command('device approve', [], { refuse: true })
    expect(sent.at(-1)?.path).toBe(`/v1/pairing/requests/${waiting[0]?.id}/refuse`)
  })
})

describe('device limit, rename and revoke', () => {
  it('state the same device anew with another reach', async () => {
    const phone = deviceView('phone')
    known.devices.push(phone)
    expect((await command('device limit', ['phone'], { reach: 'look' })).text).toContain(
      'can now look, not decide',
    )
    expect(stated).toMatchObject([{ statement: { device: phone.id, key: phone.key, reach: 0 } }])
    expect(stated.every(isSigned)).toBe(true)
    expect((await command('device limit', ['phone'], { reach: 'all' })).exit).toBe(2)
  })

  it('give another name', async () => {
    known.devices.push(deviceView('Chrome on Android'))
    await command('device rename', ['chrome on android', 'phone'])
    expect(sent.at(-1)).toMatchObject({ body: { name: 'phone' } })
  })

  it('revoke only what was agreed to', async () => {
    const phone = deviceView('phone')
    known.devices.push(phone)
    expect((await command('device revoke', ['phone'])).exit).toBe(2)
    expect((await command('device revoke', ['phone'], {}, { typed: 'y' })).text).toContain(
      'Nothing was changed.',
    )
    expect(stated).toEqual([])
    await command('device revoke', ['phone'], {}, { typed: 'revoke' })
    expect((await command('device revoke', ['desk'], {}, { typed: '' })).text).toContain(
      'device of this host',
    )
    const credential = 'c'.repeat(20)
    known.passkeys.push({
      credential,
      name: 'YubiKey',
      site: 'localhost',
      addedAt: now.toISOString(),
      revokedAt: null,
    })
    await command('device revoke', ['yubikey'], {}, { flags: { yes: true } })
    expect(stated.map(({ statement }) => statement)).toMatchObject([
      { kind: 'revoke', target: phone.id },
      { kind: 'revoke', target: credential },
    ])
    expect(stated.every(isSigned)).toBe(true)
  })
})

describe('open --phone', () => {
  const origin = 'https://home.example.com'
  const served = { origin, served: true, acceptedAt: now.toISOString() }
  const linkIn = (words: string) =>
    /https:\/\/home\.example\.com\/#pair=(\S+?)&gateway=[0-9a-f]{64}&words/.exec(words)

  it('says what to do where no public origin is set, or several are', async () => {
    const none = await command('open', [], { phone: true })
    expect(none.errors).toContain('config set publicOrigins')
    known = { ...known, origins: [served, { ...served, origin: 'https://other.example.com' }] }
    const several = await command('open', [], { phone: true })
    expect(several.errors).toContain('--origin: https://home.example.com, https://other.example.com')
    const unknown = await command('open', [], { phone: true, origin: 'https://evil.example' })
    expect(unknown.errors).toContain('https://evil.example is not a public origin')
    expect(sent.filter(({ path }) => path.endsWith('/invitations'))).toEqual([])
  })

  it('shows a picture of a link, and pairs the phone that came by it after the words were compared', async () => {
    known = { ...known, origins: [served] }
    let asking: PairingRequestView | undefined
    const { text, said } = await command(
      'open',
      [],
      { phone: true },
      {
        typed: 'y',
        meanwhile: (words) => {
          asking ??= request('Chrome on Android', linkIn(words)?.[1])
          waiting = [request('somebody else', 'another secret'), request('nobody'), asking]
        },
      },
    )
    expect(said).toMatch(/[▀▄█]{5}/)
    expect(text).toContain(asking && wordsOf(asking))
    expect(text).toContain('Chrome on Android is connected')
    expect(stated).toMatchObject([{ statement: { kind: 'device', device: asking?.device, reach: 3 } }])
    const secret = linkIn(said)?.[1] ?? ''
    const invitation = createHash('sha256').update(invitationText(secret)).digest('base64url')
    expect(sent.find(({ path }) => path.endsWith('/invitations'))?.body).toEqual({ invitation, origin })
  })

  it('refuses the phone when the words differ', async () => {
    known = { ...known, origins: [served] }
    const { text } = await command(
      'open',
      [],
      { phone: true },
      {
        typed: 'n',
        meanwhile: (words) => {
          if (waiting.length === 0) waiting = [request('phone', linkIn(words)?.[1])]
        },
      },
    )
    expect(text).toContain('Refused phone')
    expect(stated).toEqual([])
  })

  it('leaves the comparison to the app where nobody can type, and where a passkey has to sign', async () => {
    known = { ...known, origins: [{ ...served, acceptedAt: null }] }
    let asking: PairingRequestView | undefined
    const { text, said } = await command(
      'open',
      [],
      { phone: true },
      {
        flags: { yes: true },
        meanwhile: (words) => {
          if (asking) known.devices.push(deviceView('phone', { key: asking.key, reach: 2 }))
          asking ??= request('phone', linkIn(words)?.[1])
          waiting = [asking]
        },
      },
    )
    expect(stated).toMatchObject([{ statement: { kind: 'origin', origin } }])
    expect(stated.every(isSigned)).toBe(true)
    expect(said).toContain('Devices screen')
    expect(text).toContain('phone is connected. It can approve what stays in your hands.')
  })
})

describe('open', () => {
  const display = { DISPLAY: ':0' }
  const secretIn = (said: string) => /#pair=([\w-]+)/.exec(said)?.[1] ?? ''

  it('starts the browser with a private page that leads to the secret, and takes the page away again', async () => {
    const { said } = await command('open', ['approvals'], {}, { values: display, flags: { waitMs: 1_000 } })
    const [page] = pages
    expect(opened).toEqual([['xdg-open', page?.path]])
    expect(dirname(page?.path ?? '')).toBe(home.paths.run)
    expect(page).toMatchObject({ mode: 0o600, folder: 0o700 })
    const secret = secretIn(said)
    const key = fingerprint(identity.trust.gateway.key)
    expect(secret).toHaveLength(43)
    expect(page?.text).toContain(
      `location.replace("http://localhost:7347/approvals#pair=${secret}&gateway=${key}")`,
    )
    expect(opened.flat().join(' ')).not.toContain(secret)
    expect(readdirSync(home.paths.run)).toEqual([])
  })

  it('starts no browser where others could change the folder for the page', async () => {
    mkdirSync(join(home.folder, 'elsewhere'))
    chmodSync(join(home.folder, 'elsewhere'), 0o777)
    symlinkSync(join(home.folder, 'elsewhere'), home.paths.run)
    const { said } = await command('open', [], {}, { values: display, flags: { waitMs: 1_000 } })
    expect(opened).toEqual([])
    expect(said).toContain('Open the address yourself')
    expect(readdirSync(join(home.folder, 'elsewhere'))).toEqual([])
  })

  it('lets in whoever proves the secret of the page', async () => {
    let asking: PairingRequestView | undefined
    const { text } = await command(
      'open',
      ['approvals'],
      {},
      {
        values: display,
        meanwhile: (words) => {
          asking ??= request('Firefox on Linux', secretIn(words))
          waiting = [request('somebody else', 'another secret'), request('nobody'), asking]
        },
      },
    )
    expect(stated).toMatchObject([{ statement: { device: asking?.device, key: asking?.key, reach: 3 } }])
    expect(text).toContain('Firefox on Linux is connected')
    expect(text).toContain(asking && wordsOf(asking))
    expect(readdirSync(home.paths.run)).toEqual([])
  })

  it('holds the first for three seconds, and lets nobody in when a second proves the link meanwhile', async () => {
    let waits = 0
    const { errors } = await command(
      'open',
      [],
      {},
      {
        values: display,
        meanwhile: (words) => {
          waits += 1
          if (waits === 1 || waits === 6) waiting = [...waiting, request(`${waits}`, secretIn(words))]
        },
      },
    )
    expect(errors).toContain('None was paired')
    expect(stated).toEqual([])
    expect(waits).toBe(6)
  })

  it('lets nobody in when a second proves the link in the place of the first', async () => {
    const { errors } = await command(
      'open',
      [],
      {},
      {
        values: display,
        meanwhile: (words) => {
          waiting = [request('yet another', secretIn(words))]
        },
      },
    )
    expect(errors).toContain('2 pages came')
    expect(stated).toEqual([])
  })

  it('lets nobody in when two come with the same link', async () => {
    const { errors } = await command(
      'open',
      [],
      {},
      {
        values: display,
        meanwhile: (words) => {
          waiting = [request('one', secretIn(words)), request('two', secretIn(words))]
        },
      },
    )
    expect(errors).toContain('None was paired')
    expect(stated).toEqual([])
    expect(sent.filter(({ path }) => path.endsWith('/refuse'))).toHaveLength(2)
  })

  it('without a display says how to reach the page from another computer', async () => {
    const { said, exit } = await command('open')
    expect(opened).toEqual([])
    expect(said).toContain('ssh -L 7347:localhost:7347 ')
    expect(exit).toBe(7)
  })

  it('does not wait for a browser that is in already, nor where a passkey signs in', async () => {
    const { text } = await command(
      'open',
      [],
      {},
      {
        values: display,
        meanwhile: () => {
          if (known.devices.length === 1)
            known.devices.push(deviceView('Firefox', { seenAt: new Date(now.getTime() + 500).toISOString() }))
        },
      },
    )
    expect(text).toContain('Firefox is in already.')
    known.passkeys.push({
      credential: 'c'.repeat(20),
      name: 'key',
      site: 'localhost',
      addedAt: now.toISOString(),
      revokedAt: null,
    })
    const signedIn = await command('open', [], {}, { values: display })
    expect(signedIn.text).toContain('passkey')
    expect(opened.at(-1)).toEqual(['xdg-open', 'http://localhost:7347/'])
  })

  it('takes a screen and no other address', async () => {
    for (const screen of ['//evil.example', 'a b', '#pair=x', 'http:'])
      expect((await command('open', [screen], {}, { values: display })).exit).toBe(2)
    await command('open', ['//evil'], {}, { values: display, flags: { waitMs: 1_000 } })
    expect(pages).toHaveLength(1)
    expect(pages[0]?.text).toContain('location.replace("http://localhost:7347/evil#pair=')
  })
})
