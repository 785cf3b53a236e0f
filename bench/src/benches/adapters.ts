/**
 * What the process of each kind of channel keeps to itself once it is connected and has heard and said something: memory
 * that no other process shares, of the packed product and with servers that speak the real protocols.
 */
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestPlatform } from '@countersign/channels/testing'
import {
  openDiscordPlatform,
  openEmailPlatform,
  openIrcPlatform,
  openMatrixPlatform,
  openSignalPlatform,
  openSlackPlatform,
  openTelegramPlatform,
  openWhatsappPlatform,
  openXmppPlatform,
  startMqtt,
  startNtfy,
  startWebhook,
  webDelivery,
} from '@countersign/channels/testing'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { type BenchInstallation, openBenchInstallation } from '../bench-installation.ts'
import { privateOfCommand } from '../processes.ts'
import { openProduct } from '../product.ts'
import { rounded } from '../sample.ts'

export const adapters: Bench = {
  name: 'adapters',
  about: 'memory that the process of each kind of channel has for itself',
  run: measure,
}

const platformsByKind: Readonly<Record<string, () => Promise<TestPlatform>>> = {
  telegram: openTelegramPlatform,
  slack: openSlackPlatform,
  discord: openDiscordPlatform,
  matrix: openMatrixPlatform,
  whatsapp: openWhatsappPlatform,
  signal: openSignalPlatform,
  xmpp: openXmppPlatform,
  email: openEmailPlatform,
  irc: openIrcPlatform,
  mqtt: startMqtt,
  webhook: startWebhook,
  ntfy: startNtfy,
}

const patienceMs = 120_000
/** After the last message, for what is let go again. */
const restMs = 10_000

async function measure({ note }: BenchOptions): Promise<BenchResult> {
  const product = await openProduct()
  const { installed, command } = product
  const setting = await openBenchInstallation(installed ? join(dirname(command), 'gateway.js') : undefined)
  const measured: Record<string, number> = {}
  try {
    for (const [kind, open] of Object.entries(platformsByKind)) {
      const platform = await open()
      try {
        measured[kind] = await memoryOf(setting, kind, platform)
        note(`adapters: ${kind} ${rounded(measured[kind])} MB`)
      } finally {
        await platform.close()
      }
    }
  } finally {
    await setting.close()
    product.close()
  }
  const goal = { kind: 'memory' as const, limit: { atMost: 40 } }
  return {
    figures: {
      from: product.from,
      privateMegabytes: Object.fromEntries(
        Object.entries(measured).map(([kind, megabytes]) => [kind, rounded(megabytes)]),
      ),
    },
    goals: Object.entries(measured).map(([name, value]) => ({ name, value, ...goal })),
  }
}

async function memoryOf(setting: BenchInstallation, kind: string, platform: TestPlatform): Promise<number> {
  const { gateway, processes } = setting
  const { client, url } = gateway
  platform.reach?.(webDelivery(() => url, kind))
  const { settings, secrets, people, chats } = platform
  await client.storeChannel(kind, { kind, settings, secrets, choices: {} })
  const standing = async () => (await client.channels()).find(({ name }) => name === kind)
  const isConnected = async () => (await standing())?.state === 'connected'
  if (!(await holds(isConnected))) throw new Error(`${kind}: ${JSON.stringify(await standing())}`)
  // Nobody can write to ntfy, and who writes an e-mail is asked of a DNS that is not here.
  if (kind !== 'ntfy') await platform.says(people.ana, chats.ana, 'hello')
  if (kind !== 'ntfy' && kind !== 'email' && !(await holds(() => platform.shown(chats.ana).length > 0)))
    throw new Error(`${kind}: a stranger was told nothing.`)
  await sleep(restMs)
  const megabytes = privateOfCommand(processes.gateway.pids(), kind)
  await client.removeChannel(kind)
  return megabytes
}

async function holds(wanted: () => Promise<boolean> | boolean): Promise<boolean> {
  const end = Date.now() + patienceMs
  while (!(await wanted())) {
    if (Date.now() > end) return false
    await sleep(50)
  }
  return true
}
