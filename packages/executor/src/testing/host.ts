/** A host for tests: real keys, a real trust file, a workspace, and a function that makes and seals permits. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ApprovalSubject,
  canonicalText,
  type DeviceId,
  type ExecuteReply,
  type JsonObject,
  type Permit,
  parseStrict,
  type Resolution,
  type ResolveReply,
  type RunId,
  type Seal,
  sealText,
  type Tier,
} from '@countersign/contract'
import {
  digestOf,
  establishHost,
  executorKeyPath,
  gatewayKeyPath,
  type HostIdentity,
  homePaths,
  type KeyPair,
  ownFolders,
  readKey,
  sha256Hex,
  signText,
} from '@countersign/contract/node'
import { builtinTools, type Catalogue, createCatalogue } from '@countersign/tools'
import type { Executor, ExecutorOptions } from '../executor.ts'
import { subjectFor } from '../workbench/scratch-permit.ts'

export interface TestHost {
  readonly folder: string
  readonly workspace: string
  readonly options: ExecutorOptions
  readonly identity: HostIdentity
  readonly gatewayKey: KeyPair
  readonly catalogue: Catalogue
  readonly world: { readonly policy: string; readonly epoch: number }
  remove(): void
}

export interface PermitRequest {
  readonly tool: string
  readonly args: JsonObject
  readonly tier?: Tier
  readonly at?: Date
  readonly run?: RunId
  /** Changes the subject before it is sealed, as a dishonest gateway could. */
  readonly change?: (subject: ApprovalSubject) => ApprovalSubject
  readonly sealBy?: Seal['by']
}

export function createTestHost(
  egress: ExecutorOptions['egress'] = { allowPrivate: [], ports: [] },
  parent: string = tmpdir(),
): TestHost {
  const folder = mkdtempSync(join(parent, 'countersign-executor-'))
  const paths = homePaths({ COUNTERSIGN_HOME: folder }, process.platform)
  const identity = establishHost(paths, 'test device', new Date())
  mkdirSync(paths.workspace, { recursive: true })
  return {
    folder,
    workspace: paths.workspace,
    options: {
      trustFile: paths.trust,
      keyFile: executorKeyPath(paths),
      replayFile: join(paths.executor, 'replay.db'),
      workspace: paths.workspace,
      own: ownFolders(paths),
      egress,
    },
    identity,
    gatewayKey: readKey(gatewayKeyPath(paths)),
    catalogue: createCatalogue(builtinTools),
    world: { policy: sha256Hex('policy one'), epoch: 1 },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The arguments as a gateway would bind them: defaults applied, canonical. */
export function canonicalArgs(host: TestHost, tool: string, args: JsonObject): string {
  const parsed = host.catalogue.find(tool)?.parse(args)
  if (parsed?.kind !== 'args') throw new Error(`${tool} does not take ${JSON.stringify(args)}`)
  return canonicalText(parsed.args)
}

/** What an honest gateway makes of a call that was approved now. */
export async function sealTestPermit(
  host: TestHost,
  wish: PermitRequest,
  resolve: (tool: string, args: string) => Promise<ResolveReply>,
): Promise<Permit> {
  const reply = await resolve(wish.tool, canonicalArgs(host, wish.tool, wish.args))
  if (reply.kind !== 'resolved') throw new Error(`${wish.tool}: ${reply.reason}`)
  return pressResolved(host, wish, reply.resolution)
}

/**
 * What a program over a view changed, taken over for the run of its permit as if that had been approved too. Any other
 * reply stays as it is, and so does the program's where everything was taken over.
 */
export async function withChanges(
  host: TestHost,
  permit: Permit,
  reply: ExecuteReply,
  { resolve, execute }: Pick<Executor, 'resolve' | 'execute'>,
): Promise<ExecuteReply> {
  const next = reply.kind === 'done' ? reply.result.next : undefined
  if (!next) return reply
  const found = await resolve(next.tool, next.args)
  if (found.kind !== 'resolved') return { kind: 'refused', reason: found.reason }
  const { run, createdAt } = permit.subject
  const wish = { tool: next.tool, args: parsedArgs(next.args), run, at: new Date(createdAt) }
  const taken = await execute(pressResolved(host, wish, found.resolution), new AbortController().signal)
  return taken.kind === 'done' && taken.result.ok ? reply : taken
}

export function pressResolved(host: TestHost, wish: PermitRequest, resolution: Resolution): Permit {
  const facts = host.catalogue.find(wish.tool)
  if (!facts) throw new Error(`no tool ${wish.tool}`)
  const at = wish.at ?? new Date()
  const args = canonicalArgs(host, wish.tool, wish.args)
  const honest = subjectFor(host, { facts, args, resolution, at, tier: wish.tier, run: wish.run })
  const subject = wish.change ? wish.change(honest) : honest
  return {
    subject,
    seal: sealFor(host, subject, wish.sealBy ?? (subject.tier >= 3 ? 'device' : 'gateway'), at),
  }
}

export function sealFor(host: TestHost, subject: ApprovalSubject, by: Seal['by'], at: Date): Seal {
  const decidedAt = at.toISOString()
  const digest = digestOf(subject)
  switch (by) {
    case 'gateway': {
      const text = sealText(digest, host.identity.trust.gateway.id, decidedAt)
      return { by, decidedAt, signature: signText(host.gatewayKey.privateKey, text) }
    }
    case 'device': {
      const { id, keys } = host.identity.device
      return {
        by,
        device: id,
        decidedAt,
        signature: signText(keys.privateKey, sealText(digest, id, decidedAt)),
      }
    }
    case 'passkey': {
      const bytes = Buffer.from(digest, 'hex').toString('base64')
      return {
        by,
        credential: 'credential',
        decidedAt,
        authenticatorData: bytes,
        clientData: bytes,
        signature: bytes,
      }
    }
  }
}

export function deviceOf(host: TestHost): DeviceId {
  return host.identity.device.id
}

export function parsedArgs(text: string): JsonObject {
  const parsed = parseStrict(text)
  if (parsed.kind === 'refused') throw new Error(parsed.reason)
  return parsed.value as JsonObject
}
