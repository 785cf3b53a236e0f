/**
 * Owns the operator's devices and passkeys as this gateway keeps them: it files statements that hold, and can make none
 * of its own. A change is recorded first and filed second; whoever lost something is out before the answer goes back.
 */
import {
  CountersignError,
  type DeviceId,
  type DeviceList,
  type DeviceStatement,
  type DeviceView,
  type NodeId,
  type OperatorId,
  type OriginView,
  type PasskeyRequestView,
  type PasskeyView,
  type RegisterPasskey,
  type RequestPasskey,
  registrationText,
  type SignedStatement,
  siteOfOrigin,
  type TrustStatement,
} from '@countersign/contract'
import {
  appendStatement,
  type Believed,
  type BelievedDevice,
  type BelievedPasskey,
  checkStatement,
  fingerprint,
  liveDevices,
  liveOrigins,
  livePasskeys,
  type ProofSubject,
  type VerifyPasskey,
  watchBelieved,
} from '@countersign/contract/node'
import type { StatementMemory } from '@countersign/executor'
import type { Actor, EnrolledDevice, EntryDraft } from '@countersign/kernel'
import type { Pairing } from './pairing.ts'
import type { PasskeyRequests } from './passkey-requests.ts'

export interface DeviceRegistryParts {
  readonly operator: OperatorId
  /** Where this gateway has pages elsewhere, accepted for passkeys or not. */
  readonly publicOrigins: readonly string[]
  readonly files: { readonly trust: string; readonly devices: string }
  /** What was seen of the statements before; an older file is refused whole. */
  readonly memory: StatementMemory
  /** Of what was filed before: at whatever port it was proven. */
  readonly verifyPasskey: VerifyPasskey
  /** Of what comes in: only at a page of this gateway. */
  readonly verifyHere: VerifyPasskey
  readonly registeredKey: (
    registration: RegisterPasskey['registration'] & { readonly credential: string },
    about: Omit<ProofSubject, 'key'>,
  ) => Promise<string | undefined>
  readonly record: {
    enrol(operator: OperatorId, devices: readonly EnrolledDevice[], now: Date): Promise<void>
    names(operator: OperatorId): Promise<ReadonlyMap<DeviceId, string>>
    rename(operator: OperatorId, device: DeviceId, name: string): Promise<void>
  }
  readonly pairing: Pairing
  readonly passkeyRequests: PasskeyRequests
  /** Records an act of the operator and tells every client that the devices changed. */
  readonly act: (operator: OperatorId, entry: EntryDraft) => Promise<number>
  readonly drop: (device: DeviceId) => void
  /** A statement was filed. */
  readonly filed: (signed: SignedStatement) => void
  /** The record is in line with who is believed now. */
  readonly changed: (now: Believed) => void
  /** Somebody was revoked, and is out. */
  readonly onRevoked: () => void
  readonly presence: (device: DeviceId) => { readonly connections: number; readonly seenAt: Date | null }
  readonly clock: () => Date
}

export interface DeviceRegistry {
  believed(): Promise<Believed>
  list(speaker: DeviceId): Promise<DeviceList>
  /** Files a statement that holds. Gives the number of its ledger entry. */
  accept(signed: SignedStatement, actor: Actor): Promise<number>
  /** Files a passkey, if the authenticator shows that it made the key. */
  register(registered: RegisterPasskey, by: PasskeyHolder): Promise<number>
  /** Keeps a passkey of this device for minutes, until an existing one agrees to it by a statement. */
  requestPasskey(body: RequestPasskey, by: PasskeyHolder): Promise<PasskeyRequestView>
  passkeyRequests(): Promise<PasskeyRequestView[]>
  refusePasskey(id: string, actor: Actor): Promise<number>
  rename(device: DeviceId, name: string, actor: Actor): Promise<number>
  /** The name, or with a number if a live device or one that waits to be let in has it. */
  freeName(name: string): Promise<string>
  /** Brings the record in line with the files, which another program may have written. */
  refresh(): Promise<void>
}

/** The device on which a passkey was made. */
export interface PasskeyHolder {
  readonly device: DeviceId
  readonly actor: Actor
}

/** A statement is filed while it is fresh: one that was kept back says what nobody means any more. */
const toleranceMs = 10 * 60_000
const mostDevices = 100
const mostPasskeys = 20
/** A device may state things of itself, and the file only ever grows. */
const mostStatementsInHour = 10
const hourMs = 60 * 60_000

export function createDeviceRegistry(parts: DeviceRegistryParts): DeviceRegistry {
  const { operator, files, clock } = parts
  const inTurn = createTurns()
  let enrolled = new Map<DeviceId, BelievedDevice>()
  const statedAt = new Map<DeviceId, readonly number[]>()

  const standing = watchBelieved(files, parts.verifyPasskey, (bytes) => parts.memory.refusal(bytes))

  async function believed(): Promise<Believed> {
    try {
      return (await standing()).believed
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause)
      throw new CountersignError('config_invalid', `Nobody is believed: ${words}.`, { cause })
    }
  }

  function countStatement(device: DeviceId): void {
    const now = clock().getTime()
    const recent = (statedAt.get(device) ?? []).filter((at) => Math.abs(now - at) < hourMs)
    if (recent.length >= mostStatementsInHour)
      throw new CountersignError(
        'limit_reached',
        `There were ${mostStatementsInHour} statements about this device within an hour.`,
        { next: 'Wait an hour, or revoke the device with `countersign device revoke`.' },
      )
    statedAt.set(device, [...recent, now])
  }

  /** Two devices of one name would be one in the ledger. */
  async function namesBeside(device: DeviceId | null): Promise<ReadonlySet<string>> {
    const names = await parts.record.names(operator)
    const others = liveDevices(await believed()).filter(({ id }) => id !== device)
    return new Set(others.map(({ id, name }) => (names.get(id) ?? name).toLowerCase()))
  }

  /** A browser that comes with a passkey alone has signed its name already, so it gets a number beside it. */
  async function nameOf(
    { device, name }: DeviceStatement,
    before: Believed,
    byPasskeyAlone: boolean,
  ): Promise<string> {
    const taken = await namesBeside(device)
    const isKept = before.devices.get(device)?.name === name
    if (isKept || !taken.has(name.toLowerCase())) return name
    if (byPasskeyAlone) return numbered(name, taken)
    throw nameTaken(name)
  }

  /** Whoever may do less than before is told by the end of the connection; it comes back as what it is now. */
  async function bringInLine(now: Believed): Promise<void> {
    await parts.record.enrol(operator, [...now.devices.values()], clock())
    const before = enrolled
    enrolled = new Map(now.devices)
    let isRevoked = false
    for (const { id, reach, revokedAt } of now.devices.values()) {
      const was = before.get(id)
      const out = revokedAt !== null && (was?.revokedAt === null || !was)
      if (out || (was && reach < was.reach)) parts.drop(id)
      isRevoked ||= out
    }
    for (const id of before.keys()) {
      if (now.devices.has(id)) continue
      parts.drop(id)
      isRevoked = true
    }
    parts.passkeyRequests.keepOnly((request) => mayAskForPasskey(now, request))
    if (isRevoked) parts.onRevoked()
    parts.changed(now)
  }

  function viewOfApproval(
    device: BelievedDevice,
    names: ReadonlyMap<DeviceId, string>,
    speaker: DeviceId,
  ): DeviceView {
    const { id, platform, key, reach, addedAt, revokedAt, root } = device
    const { connections, seenAt } = parts.presence(id)
    const name = names.get(id) ?? device.name
    const seen = { seenAt: seenAt?.toISOString() ?? null, connections, thisOne: id === speaker }
    return { id, name, platform, key, reach, addedAt, revokedAt, root, ...seen }
  }

  async function file(signed: SignedStatement, actor: Actor): Promise<number> {
    const { statement } = signed
    const before = await believed()
    if (!(Math.abs(clock().getTime() - Date.parse(statement.at)) < toleranceMs))
      throw new CountersignError('expired', 'This statement is out of date.', {
        next: 'Check the clock of this device, then try again.',
      })
    const weighed = await checkStatement(before, signed, parts.verifyHere)
    if (weighed.kind === 'refused') throw refusal(weighed)
    requireCapacity(weighed.believed)
    const name = statement.kind === 'device' ? await nameOf(statement, before, signed.by === null) : null
    if (statement.kind === 'device') countStatement(statement.device)
    const entry = { ...entryOf(statement, before, signed), actor }
    const ledger = await parts.act(operator, entry)
    try {
      appendStatement(files.devices, signed)
    } catch (error) {
      await parts.act(operator, {
        type: 'device.unchanged',
        actor,
        data: { attempted: entry.type, entry: ledger },
      })
      throw error
    }
    const after = await believed()
    parts.filed(signed)
    await bringInLine(after)
    if (statement.kind === 'device') {
      if (name !== null && name !== statement.name)
        await parts.record.rename(operator, statement.device, name)
      parts.pairing.letIn(statement.key, statement.reach)
    }
    return ledger
  }

  /** The authenticator made the key at a page of this gateway, for this device. */
  async function requireMade(
    { credential, key, site, registration }: Omit<RequestPasskey, 'name'>,
    device: DeviceId,
  ): Promise<void> {
    const now = await believed()
    const about = { site, text: registrationText(now.gateway, device), origins: liveOrigins(now) }
    const made = await parts.registeredKey({ ...registration, credential }, about)
    if (made === undefined || made !== key)
      throw new CountersignError(
        'not_authenticated',
        'The authenticator did not create this passkey for this site.',
        {
          next: 'Open the web app under http://localhost or an origin that was accepted with `countersign open --phone`, and add it again.',
        },
      )
  }

  /** Of a passkey that a device asked for: the answer of its authenticator came with the request. */
  async function fileAsked(signed: SignedStatement, actor: Actor): Promise<number> {
    const { statement } = signed
    const asked = statement.kind === 'passkey' ? parts.passkeyRequests.waitingFor(statement) : undefined
    if (!asked)
      throw new CountersignError('usage', 'No device asks for this passkey, or its request is over.', {
        next: 'Ask again on the device that made it: Devices, “Add a passkey”.',
      })
    const { view, registration } = asked
    requireAskable(await believed(), view)
    await requireMade({ ...view, registration }, view.device)
    const ledger = await file(signed, actor)
    parts.passkeyRequests.approve(view.id)
    return ledger
  }

  return {
    believed,
    // In turn: whoever heard of a change and asks must find it done.
    list: (speaker) =>
      inTurn(async () => {
        const found = await believed()
        const names = await parts.record.names(operator)
        return {
          devices: [...found.devices.values()].map((device) => viewOfApproval(device, names, speaker)),
          passkeys: [...found.passkeys.values()].map(passkeyView),
          origins: originViews(parts.publicOrigins, found),
          problems: [...found.problems],
        }
      }),
    accept: (signed, actor) =>
      inTurn(() => (signed.statement.kind === 'passkey' ? fileAsked(signed, actor) : file(signed, actor))),
    register: ({ signed, registration }, { device, actor }) =>
      inTurn(async () => {
        await requireMade({ ...signed.statement, registration }, device)
        return file(signed, actor)
      }),
    requestPasskey: (body, { device, actor }) =>
      inTurn(async () => {
        parts.passkeyRequests.attempt(device)
        requireAskable(await believed(), { ...body, device })
        await requireMade(body, device)
        const request = parts.passkeyRequests.add(body, device)
        await parts.act(operator, { type: 'passkey.requested', actor, data: requestData(request) })
        return request
      }),
    // In turn, as the list of devices.
    passkeyRequests: () => inTurn(async () => parts.passkeyRequests.all()),
    refusePasskey: (id, actor) =>
      inTurn(() => {
        const data = requestData(parts.passkeyRequests.refuse(id))
        return parts.act(operator, { type: 'passkey.refused', actor, data })
      }),
    rename: (device, name, actor) =>
      inTurn(async () => {
        const live = liveDevices(await believed())
        if (!live.some(({ id }) => id === device))
          throw new CountersignError('not_found', `There is no device ${device}.`, {
            next: 'List them with `countersign device list`.',
          })
        if ((await namesBeside(device)).has(name.toLowerCase())) throw nameTaken(name)
        await parts.record.rename(operator, device, name)
        return parts.act(operator, { type: 'device.renamed', actor, data: { device, name } })
      }),
    async freeName(name) {
      const waiting = parts.pairing.waiting().map((each) => each.name.toLowerCase())
      return numbered(name, new Set([...(await namesBeside(null)), ...waiting]))
    },
    refresh: () => inTurn(async () => bringInLine(await believed())),
  }
}

type AskedPasskey = Pick<PasskeyRequestView, 'device' | 'site' | 'credential'>

function mayAskForPasskey(
  { devices, origins }: Believed,
  { device, site }: Omit<AskedPasskey, 'credential'>,
) {
  const known = devices.get(device)
  const accepted = [...origins.values()].filter(({ revokedAt }) => revokedAt === null)
  const isPlace = site === 'localhost' || accepted.some(({ origin }) => siteOfOrigin(origin) === site)
  return known !== undefined && known.revokedAt === null && known.reach === 3 && isPlace
}

function requireAskable(now: Believed, asked: AskedPasskey): void {
  if (now.passkeys.has(asked.credential))
    throw new CountersignError('conflict', 'This passkey is known already.', {
      next: 'Make another one with “Add a passkey”.',
    })
  if (!mayAskForPasskey(now, asked))
    throw new CountersignError(
      'not_authenticated',
      `This device may not ask for a passkey at ${asked.site}, or passkeys do not count there.`,
      { next: 'Accept the origin with `countersign open --phone` on the computer of the gateway.' },
    )
}

/** What the ledger says of a request. */
function requestData({ id, device, credential, name, site }: PasskeyRequestView) {
  return { request: id, device, credential, name, site }
}

function nameTaken(name: string): CountersignError {
  return new CountersignError('conflict', `Another device is called ${name}.`, {
    next: 'Choose another name.',
  })
}

function numbered(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name.slice(0, 55)} ${number}`
  return free
}

function passkeyView({ credential, name, site, addedAt, revokedAt }: BelievedPasskey): PasskeyView {
  return { credential, name, site, addedAt, revokedAt }
}

/** Those of the settings first, then what else was accepted once. */
function originViews(configured: readonly string[], { origins }: Believed): OriginView[] {
  const others = [...origins.values()].filter(
    ({ origin, revokedAt }) => revokedAt === null && !configured.includes(origin),
  )
  return [...configured, ...others.map(({ origin }) => origin)].map((origin) => {
    const known = origins.get(origin)
    const acceptedAt = known && known.revokedAt === null ? known.addedAt : null
    return { origin, served: configured.includes(origin), acceptedAt }
  })
}

function refusal({ reason, needsPasskey }: { reason: string; needsPasskey: boolean }): CountersignError {
  return needsPasskey
    ? new CountersignError('step_up_needed', `The statement is not valid: ${reason}.`, {
        next: 'Use the web app with your passkey: `countersign open devices`.',
      })
    : new CountersignError('not_authenticated', `The statement is not valid: ${reason}.`, {
        next: 'Use a device that may approve what leaves your hands; `countersign device list` shows which do.',
      })
}

function requireCapacity(believed: Believed): void {
  if (liveDevices(believed).length > mostDevices || livePasskeys(believed).length > mostPasskeys)
    throw new CountersignError(
      'limit_reached',
      `There can be at most ${mostDevices} devices and ${mostPasskeys} passkeys.`,
      { next: 'Revoke what you no longer use with `countersign device revoke`.' },
    )
}

/** What the ledger says of a statement. */
function entryOf(
  statement: TrustStatement,
  before: Believed,
  { by, passkey }: SignedStatement,
): Pick<EntryDraft, 'type' | 'data'> {
  const signed = { by: by?.device ?? null, passkey: passkey?.credential ?? null }
  switch (statement.kind) {
    case 'node': {
      const { node, executor, key, name, platform } = statement
      const data = { node, executor, key: fingerprint(key), name, platform, ...signed }
      return { type: before.nodes.has(node) ? 'node.renamed' : 'node.added', data }
    }
    case 'device': {
      const { device, key, name, platform, reach } = statement
      const data = { device, key: fingerprint(key), name, platform, reach, ...signed }
      const known = before.devices.get(device)
      return { type: known && reach <= known.reach ? 'device.limited' : 'device.added', data }
    }
    case 'passkey': {
      const { credential, name, site } = statement
      return { type: 'passkey.added', data: { credential, name, site, ...signed } }
    }
    case 'origin':
      return { type: 'origin.added', data: { origin: statement.origin, ...signed } }
    case 'revoke': {
      const { target } = statement
      if (before.origins.has(target)) return { type: 'origin.revoked', data: { origin: target, ...signed } }
      const node = before.nodes.get(target as NodeId)
      if (node) return { type: 'node.revoked', data: { node: target, name: node.name, ...signed } }
      const device = before.devices.get(target as DeviceId)
      const name = device?.name ?? before.passkeys.get(target)?.name ?? ''
      return device
        ? { type: 'device.revoked', data: { device: target, name, ...signed } }
        : { type: 'passkey.revoked', data: { credential: target, name, ...signed } }
    }
  }
}

/** One at a time: a statement is weighed against everything that was filed before it. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
