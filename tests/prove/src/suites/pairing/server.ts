/** Tries codes at the door of the real gateway, as devices of every reach and as whoever is none. */

import pg from 'pg'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions } from '../../suite.ts'
import { type AccessRequest, type Caller, deviceCaller, forgers } from '../access/caller.ts'
import { type AccessInstallation, openAccessInstallation } from '../access/installation.ts'
import { guessedCode } from './attacks.ts'

export interface ServerTrials {
  readonly requests: number
  readonly problems: readonly string[]
}

const shownCode = 'ABCDEFGH'
const guessesEach = 8

export async function tryServer(random: Random, log: SuiteOptions['log']): Promise<ServerTrials> {
  const trial = await openAccessInstallation([])
  const database = new pg.Client(trial.installation.databaseConnection())
  const problems: string[] = []
  let requests = 0
  const ask = async (caller: Caller, code: string, role: string): Promise<number> => {
    requests += 1
    const asked: AccessRequest = { method: 'POST', path: '/v1/peers', body: JSON.stringify({ code, role }) }
    return (await caller.ask(asked)).status
  }
  try {
    await database.connect()
    await letSomebodyAsk(database, trial)
    const parts = { port: trial.port, gateway: trial.gateway }
    const seal = deviceCaller('seal', trial.seal, parts)
    const outside = [
      deviceCaller('look', trial.look, parts),
      deviceCaller('decide', trial.decide, parts),
      deviceCaller('revoked device', trial.revoked, parts),
      deviceCaller('other operator', trial.otherOperator, parts),
      ...forgers(trial.seal, trial.stranger, parts),
    ]
    for (const caller of outside) {
      for (const code of [shownCode, ...guesses(random)]) {
        const status = await ask(caller, code, random.pick(['guest', 'trusted', 'operator']))
        // The same for the code that somebody was shown and for one that nobody was.
        if (status !== 401 && status !== 403) problems.push(`${caller.name} was told ${status} of ${code}`)
      }
    }
    for (const code of guesses(random)) {
      const status = await ask(seal, code, 'guest')
      if (status !== 404) problems.push(`a guess by a device that seals was told ${status}`)
    }
    for (const code of ['', 'ABCD', 'ABCDEFG0', `${shownCode}' or true --`, '%', '________'])
      if ((await ask(seal, code, 'guest')) !== 400) problems.push(`${code} was read as a code`)
    if ((await paired(database)) !== 0) problems.push('somebody was let in at the server')
    // The door is not shut: the code does let in, once.
    const ends = await Promise.all(Array.from({ length: 8 }, () => ask(seal, shownCode, 'guest')))
    if (ends.filter((status) => status === 200).length !== 1)
      problems.push(`the code of now was told ${ends.join(', ')}`)
    if ((await paired(database)) !== 1) problems.push('the code of now did not let in one')
  } finally {
    await database.end()
    await trial.close()
  }
  log(`${requests} requests at the server, ${problems.length} problems`)
  return { requests, problems }
}

function guesses(random: Random): string[] {
  return Array.from({ length: guessesEach }, () => guessedCode(random))
}

async function letSomebodyAsk(database: pg.Client, { installation }: AccessInstallation): Promise<void> {
  const { operator } = installation.identity.trust
  await database.query('select set_config($1, $2, false)', ['app.operator', operator])
  const limits = { tools: null, tier: 2, dailyUsd: 1, hours: null, messagesPerHour: 60 }
  await database.query(
    `insert into channel_peers (operator_id, channel, peer, name, chat, state, limits, code, asked_at)
      values ($1, 'phone', 'eve', 'Eve', 'chat-eve', 'asking', $2, $3, now())`,
    [operator, JSON.stringify(limits), shownCode],
  )
}

async function paired(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from channel_peers where state = 'paired'`,
  )
  return rows[0]?.count ?? 0
}
