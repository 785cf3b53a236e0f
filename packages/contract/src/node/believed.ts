/**
 * Owns who is believed: the roots of the trust file, and every statement that was signed by what was believed before
 * it. Pure but for passkey proofs, which arrive as a function. A statement that does not hold changes nothing.
 */
import { isPlainName, readsAlike } from '../display/plain-name.ts'
import { DeviceId, type ExecutorId, type GatewayId, NodeId } from '../ids.ts'
import { siteOfOrigin } from '../public-origin.ts'
import {
  type DeviceReach,
  type DeviceStatement,
  type NodeStatement,
  type OriginStatement,
  type PasskeyProof,
  type PasskeyStatement,
  type RevokeStatement,
  type SignedStatement,
  statementText,
  type TrustStatement,
} from '../trust-statement.ts'
import { publicKeyOf, verifyText } from './keys.ts'
import type { TrustFile } from './trust-file.ts'

export interface BelievedDevice {
  readonly id: DeviceId
  /** Ed25519, the raw 32 bytes in base64. */
  readonly key: string
  readonly name: string
  readonly platform: string
  readonly reach: DeviceReach
  readonly addedAt: string
  readonly revokedAt: string | null
  /** When it was stated last; an older statement about it no longer holds. */
  readonly statedAt: string
  /** Named by the trust file of the host itself. */
  readonly root: boolean
}

export interface BelievedPasskey {
  readonly credential: string
  /** COSE, base64. */
  readonly key: string
  readonly name: string
  readonly site: string
  readonly addedAt: string
  readonly revokedAt: string | null
}

/** Where pages of this gateway may be, beside this computer itself. */
export interface BelievedOrigin {
  readonly origin: string
  readonly addedAt: string
  readonly revokedAt: string | null
}

/** Another computer that runs calls. */
export interface BelievedNode {
  readonly id: NodeId
  readonly executor: ExecutorId
  /** Ed25519, the raw 32 bytes in base64. */
  readonly key: string
  readonly name: string
  readonly platform: string
  readonly addedAt: string
  readonly revokedAt: string | null
  /** When it was stated last; an older statement about it no longer holds. */
  readonly statedAt: string
}

export interface Believed {
  readonly gateway: GatewayId
  /** Revoked ones too: neither their ids nor their keys ever come back. */
  readonly devices: ReadonlyMap<DeviceId, BelievedDevice>
  readonly passkeys: ReadonlyMap<string, BelievedPasskey>
  readonly origins: ReadonlyMap<string, BelievedOrigin>
  /** Revoked ones too. */
  readonly nodes: ReadonlyMap<NodeId, BelievedNode>
  /** Why a statement was passed over, in order. */
  readonly problems: readonly string[]
}

/** What a proof must be of. */
export interface ProofSubject {
  readonly key: string
  readonly site: string
  readonly text: string
  /** Those that the operator accepted: elsewhere than on this computer a proof is made at one of them. */
  readonly origins: readonly string[]
}

/** Whether the proof was made by this passkey, for this site, at its pages, over the SHA-256 of this text. */
export type VerifyPasskey = (proof: PasskeyProof, about: ProofSubject) => boolean | Promise<boolean>

export type StatementCheck =
  | { readonly kind: 'holds'; readonly believed: Believed }
  | {
      readonly kind: 'refused'
      readonly reason: string
      /** A passkey's proof is what is missing. */
      readonly needsPasskey: boolean
    }

export async function believe(
  trust: TrustFile,
  signed: readonly SignedStatement[],
  verifyPasskey: VerifyPasskey,
): Promise<Believed> {
  let believed = rootsOf(trust)
  for (const [index, each] of signed.entries()) {
    const weighed = await checkStatement(believed, each, verifyPasskey)
    believed =
      weighed.kind === 'holds'
        ? weighed.believed
        : { ...believed, problems: [...believed.problems, `statement ${index + 1}: ${weighed.reason}`] }
  }
  return believed
}

/** A root that the trust file itself revokes vouches for nothing, also not for what it signed before. */
export function rootsOf(trust: TrustFile): Believed {
  const devices = trust.devices.map(({ id, key, name, addedAt, revokedAt }): [DeviceId, BelievedDevice] => [
    id,
    { id, key, name, platform: '', reach: 3, addedAt, revokedAt, statedAt: addedAt, root: true },
  ])
  return {
    gateway: trust.gateway.id,
    devices: new Map(devices),
    passkeys: new Map(),
    origins: new Map(),
    nodes: new Map(),
    problems: [],
  }
}

/** What is believed after this statement, or why it does not hold. */
export async function checkStatement(
  believed: Believed,
  signed: SignedStatement,
  verifyPasskey: VerifyPasskey,
): Promise<StatementCheck> {
  const { statement } = signed
  if (statement.gateway !== believed.gateway) return refused('made for another gateway')
  if (Object.values(statement).some((value) => typeof value === 'string' && unwritable.test(value)))
    return refused('it holds text that cannot be written')
  const proven = await prove(believed, signed, verifyPasskey)
  if (proven.kind === 'refused') return proven
  switch (statement.kind) {
    case 'device':
      return weighDevice(believed, statement, proven)
    case 'passkey':
      return weighPasskey(believed, statement, proven)
    case 'origin':
      return weighOrigin(believed, statement, proven)
    case 'node':
      return weighNode(believed, statement, proven)
    case 'revoke':
      return weighRevocation(believed, statement, proven)
  }
}

export function liveDevices(believed: Believed): BelievedDevice[] {
  return [...believed.devices.values()].filter(isLive)
}

export function livePasskeys(believed: Believed): BelievedPasskey[] {
  return [...believed.passkeys.values()].filter(isLive)
}

export function liveOrigins(believed: Believed): string[] {
  return [...believed.origins.values()].filter(isLive).map(({ origin }) => origin)
}

export function liveNodes(believed: Believed): BelievedNode[] {
  return [...believed.nodes.values()].filter(isLive)
}

/** Control characters, and halves of characters: neither a database nor a canonical text takes all of them. */
const unwritable = /[\p{Cc}\p{Cs}]/u

type Refused = Extract<StatementCheck, { kind: 'refused' }>

/** Whose proofs a statement carries. Every one that it carries holds. */
interface Proven {
  readonly kind: 'proven'
  readonly device: BelievedDevice | null
  readonly passkey: BelievedPasskey | null
}

function refused(reason: string, needsPasskey = false): Refused {
  return { kind: 'refused', reason, needsPasskey }
}

const isLive = ({ revokedAt }: { readonly revokedAt: string | null }) => revokedAt === null
const mayAppoint = (device: BelievedDevice | null) => device?.reach === 3
const isHostAppointer = (device: BelievedDevice | null) => device?.root === true && mayAppoint(device)

async function prove(
  believed: Believed,
  { statement, by, passkey }: SignedStatement,
  verifyPasskey: VerifyPasskey,
): Promise<Proven | Refused> {
  const text = statementText(statement)
  const device = by && believed.devices.get(by.device)
  if (by && (!device || !isLive(device))) return refused('signed by a device that is unknown or revoked')
  if (by && device && !isSignatureOf(device, text, by.signature))
    return refused('the signature of the device does not fit')
  const known = passkey && believed.passkeys.get(passkey.credential)
  if (passkey && (!known || !isLive(known))) return refused('proven by a passkey that is unknown or revoked')
  if (passkey && known) {
    const about = { key: known.key, site: known.site, text, origins: liveOrigins(believed) }
    if (!(await verifyPasskey(passkey, about))) return refused('the proof of the passkey does not fit')
  }
  if (!device && !known) return refused('signed by nobody')
  return { kind: 'proven', device: device ?? null, passkey: known ?? null }
}

function isSignatureOf(device: BelievedDevice, text: string, signature: string): boolean {
  return isCanonical(signature) && verifyText(publicKeyOf(device.key), text, signature)
}

/** Two spellings of one signature would be two statements. */
function isCanonical(base64: string): boolean {
  return Buffer.from(base64, 'base64').toString('base64') === base64
}

function weighDevice(believed: Believed, statement: DeviceStatement, proven: Proven): StatementCheck {
  const { device: id, key, name, platform, reach, at } = statement
  if (!isCanonical(key) || Buffer.from(key, 'base64').length !== 32)
    return refused('the key of the device is not one')
  const known = believed.devices.get(id)
  if (known && !isLive(known)) return refused('the device was revoked, and that is permanent')
  if (known && known.key !== key) return refused('the device is known by another key')
  if ([...believed.devices.values()].some((other) => other.id !== id && other.key === key))
    return refused('the key belongs to another device')
  if ([...believed.nodes.values()].some((node) => node.key === key))
    return refused('the key belongs to a node')
  if (known && isOlder(statement, known.statedAt)) return refused('something later was stated of the device')
  if (known && known.reach === reach && known.name === name && known.platform === platform)
    return refused('it says nothing new of the device')
  const widens = !known || reach > known.reach
  const reason = widens ? refusalToWiden(believed, proven) : refusalToLimit(known, proven)
  if (reason) return reason
  if (known && reach < 3 && isLastAppointer(believed, known)) return refused(lastAppointer)
  const stated: BelievedDevice = {
    id,
    key,
    name,
    platform,
    reach,
    addedAt: known?.addedAt ?? at,
    revokedAt: null,
    statedAt: at,
    root: known?.root ?? false,
  }
  return holds({ ...believed, devices: new Map(believed.devices).set(id, stated) })
}

function weighPasskey(believed: Believed, statement: PasskeyStatement, proven: Proven): StatementCheck {
  const { credential, key, name, site, at } = statement
  if (!isCanonical(key)) return refused('the key of the passkey is not canonical')
  if (Buffer.from(credential, 'base64url').toString('base64url') !== credential)
    return refused('the credential of the passkey is not canonical')
  // A revocation names either by its text alone, so no text may mean both.
  if (DeviceId.safeParse(credential).success || believed.devices.has(credential as DeviceId))
    return refused('the credential of the passkey reads as a device')
  if (NodeId.safeParse(credential).success) return refused('the credential of the passkey reads as a node')
  const known = believed.passkeys.get(credential)
  if (known)
    return refused(isLive(known) ? 'the passkey is known' : 'the passkey was revoked, and that is permanent')
  const reason = refusalToWiden(believed, proven)
  if (reason) return reason
  if (site !== 'localhost' && !liveOrigins(believed).some((origin) => siteOfOrigin(origin) === site))
    return refused('the passkey is for a site that was not accepted')
  const stated: BelievedPasskey = { credential, key, name, site, addedAt: at, revokedAt: null }
  return holds({ ...believed, passkeys: new Map(believed.passkeys).set(credential, stated) })
}

/** An origin can be accepted again, but never by what was signed before it was revoked. */
function weighOrigin(believed: Believed, statement: OriginStatement, proven: Proven): StatementCheck {
  const { origin, at } = statement
  const known = believed.origins.get(origin)
  if (known && isLive(known)) return refused('the origin is accepted already')
  if (known?.revokedAt && isOlder(statement, known.revokedAt)) return refused('the origin was revoked later')
  if (!proven.passkey && !isHostAppointer(proven.device))
    return refused('an origin is accepted with a passkey, or by the own device of the host', true)
  const stated: BelievedOrigin = { origin, addedAt: at, revokedAt: null }
  return holds({ ...believed, origins: new Map(believed.origins).set(origin, stated) })
}

/**
 * The words that a node shows bind the host's own device, so a node believes what that device signed and nobody else
 * needs to appoint it. Its key and its executor never change; its name may.
 */
function weighNode(believed: Believed, statement: NodeStatement, proven: Proven): StatementCheck {
  const { node: id, executor, key, name, platform, at } = statement
  if (!isCanonical(key) || Buffer.from(key, 'base64').length !== 32)
    return refused('the key of the node is not one')
  if (!isHostAppointer(proven.device)) return refused('a node is let in by the own device of the host')
  const known = believed.nodes.get(id)
  if (known && !isLive(known)) return refused('the node was revoked, and that is permanent')
  if (known && (known.key !== key || known.executor !== executor))
    return refused('the node is known by another key')
  const others = [...believed.nodes.values()].filter((other) => other.id !== id)
  if (others.some((other) => other.key === key || other.executor === executor))
    return refused('the key belongs to another node')
  if ([...believed.devices.values()].some((device) => device.key === key))
    return refused('the key belongs to a device')
  // What a person reads on a card is its name.
  if (!isPlainName(name)) return refused('its name could be taken for another one')
  if (others.some((other) => isLive(other) && readsAlike(other.name, name)))
    return refused('another node has this name, or one that reads like it')
  if (known && isOlder(statement, known.statedAt)) return refused('something later was stated of the node')
  if (known && known.name === name && known.platform === platform)
    return refused('it says nothing new of the node')
  const stated: BelievedNode = {
    id,
    executor,
    key,
    name,
    platform,
    addedAt: known?.addedAt ?? at,
    revokedAt: null,
    statedAt: at,
  }
  return holds({ ...believed, nodes: new Map(believed.nodes).set(id, stated) })
}

function weighRevocation(
  believed: Believed,
  { target, at }: RevokeStatement,
  proven: Proven,
): StatementCheck {
  const device = believed.devices.get(target as DeviceId)
  if (device) {
    if (!isLive(device)) return refused('the device is revoked already')
    const own = proven.device?.id === device.id
    if (!own && !mayAppoint(proven.device) && !proven.passkey)
      return refused('a device of lower reach revokes nothing but itself')
    if (isLastAppointer(believed, device)) return refused(lastAppointer)
    const devices = new Map(believed.devices).set(device.id, { ...device, revokedAt: at })
    return holds({ ...believed, devices })
  }
  const origin = believed.origins.get(target)
  if (origin) {
    if (!isLive(origin)) return refused('the origin is revoked already')
    if (!mayAppoint(proven.device) && !proven.passkey)
      return refused('a device of lower reach revokes nothing but itself')
    return holds({
      ...believed,
      origins: new Map(believed.origins).set(target, { ...origin, revokedAt: at }),
    })
  }
  const node = believed.nodes.get(target as NodeId)
  if (node) {
    if (!isLive(node)) return refused('the node is revoked already')
    if (!mayAppoint(proven.device) && !proven.passkey)
      return refused('a device of lower reach revokes nothing but itself')
    return holds({ ...believed, nodes: new Map(believed.nodes).set(node.id, { ...node, revokedAt: at }) })
  }
  const passkey = believed.passkeys.get(target)
  if (!passkey) return refused('what it revokes is not known')
  if (!isLive(passkey)) return refused('the passkey is revoked already')
  // A passkey guards against a stolen device, so a device alone cannot take the guard away; the host's own can.
  if (!proven.passkey && !isHostAppointer(proven.device))
    return refused('a passkey is revoked with a passkey, or by the own device of the host', true)
  const passkeys = new Map(believed.passkeys).set(target, { ...passkey, revokedAt: at })
  return holds({ ...believed, passkeys })
}

const lastAppointer = 'it is the last device that seals; pair another one first'

function isLastAppointer(believed: Believed, device: BelievedDevice): boolean {
  return mayAppoint(device) && liveDevices(believed).every(({ id, reach }) => reach < 3 || id === device.id)
}

function isOlder({ at }: TrustStatement, than: string): boolean {
  return !(Date.parse(at) > Date.parse(than))
}

function refusalToWiden(believed: Believed, { device, passkey }: Proven): Refused | null {
  if (passkey) return null
  if (!mayAppoint(device)) return refused('the device that signed it may not let others in')
  return livePasskeys(believed).length > 0 ? refused('it needs the proof of a passkey too', true) : null
}

function refusalToLimit(known: BelievedDevice | undefined, { device, passkey }: Proven): Refused | null {
  if (passkey || mayAppoint(device) || device?.id === known?.id) return null
  return refused('a device of lower reach limits nothing but itself')
}

function holds(believed: Believed): StatementCheck {
  return { kind: 'holds', believed }
}
