/** Owns what must be true of the rows afterwards. It reads them with a connection of its own and shares no code with the product. */
import pg from 'pg'
import type { World } from './world.ts'

export interface Expected {
  /** The keys of what the operator really said. */
  readonly said: ReadonlySet<string>
}

export async function openOracle({ bench, asked, wishes, home, names }: World) {
  const client = new pg.Client({ ...bench.administrator, options: '-c search_path=countersign' })
  await client.connect()
  const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows

  /** What each round must leave as it was. */
  async function look({ said }: Expected): Promise<string[]> {
    const problems: string[] = []
    const admitted = await rows<{ key: string }>(`select key from inputs where key like 'channel/%'`)
    for (const { key } of admitted) if (!said.has(key)) problems.push(`${key} was admitted`)
    if (admitted.length !== said.size) problems.push(`${admitted.length} inputs, and ${said.size} were said`)
    const called = await rows<{ key: string }>(
      `select i.key from model_calls m join runs r on r.id = m.run_id join inputs i on i.id = r.input_id
        where i.key like 'channel/%' and i.key <> all($1)`,
      [[...said]],
    )
    for (const { key } of called) problems.push(`a model was called for ${key}`)
    const paired = await rows<{ who: string }>(
      `select channel || '/' || peer || ' ' || role as who from channel_peers
        where state = 'paired' or role is not null order by 1`,
    )
    const wanted = [`${home}/friend guest`, `${home}/op operator`]
    if (paired.map(({ who }) => who).join() !== wanted.join())
      problems.push(`let in: ${paired.map(({ who }) => who).join(', ')}`)
    const asking = await rows<{ channel: string; asking: number }>(
      `select channel, count(*)::int as asking from channel_peers
        where state = 'asking' and code is not null and asked_at > $1 group by channel`,
      [new Date(bench.clock().getTime() - 59 * 60_000)],
    )
    for (const { channel, asking: many } of asking)
      if (many > 20) problems.push(`${many} ask at once in ${channel}`)
    const forged = await rows<{ peer: string }>(`select peer from channel_peers where peer like 'forged%'`)
    for (const { peer } of forged) problems.push(`${peer} was greeted`)
    const decided = await rows<{ code: string }>(
      `select code from approvals where state in ('approved', 'denied')`,
    )
    for (const { code } of decided) problems.push(`${code} was decided`)
    const paused = await rows(`select 1 from operators where paused_at is not null`)
    if (paused.length > 0) problems.push('everything was paused')
    return problems
  }

  /** What holds of all that was said to strangers. */
  async function atTheEnd(): Promise<string[]> {
    const problems: string[] = []
    const told = await rows<{ chat: string; kind: string }>(
      `select chat, kind from channel_outbox where kind <> 'pairing' and not (channel = $1 and chat in ('chat-op', 'chat-friend', 'house'))`,
      [home],
    )
    for (const { chat, kind } of told) problems.push(`${chat} was told a ${kind}`)
    // By who wrote what it answers: several may write in one chat. Those who were let in and put out are strangers again.
    const again = await rows<{ peer: string }>(
      `select peer from (
          select i.peer, o.at - lag(o.at) over (partition by o.channel, i.peer order by o.at) as pause
          from channel_outbox o join channel_inbox i
            on i.channel = o.channel and o.key = 'pairing/' || o.channel || '/' || i.id
          where o.kind = 'pairing' and o.channel = any($1) and i.peer not like 'racer%') as lines
        where pause < interval '23 hours 59 minutes'`,
      [names],
    )
    for (const { peer } of again) problems.push(`${peer} was told twice in a day`)
    return problems
  }

  return {
    look,
    atTheEnd,
    async counts() {
      const [counts] = await rows<{ messages: number; lines: number; modelCalls: number; runs: number }>(
        `select (select count(*) from channel_inbox)::int as messages,
          (select count(*) from channel_outbox where kind = 'pairing')::int as lines,
          (select count(*) from model_calls m join runs r on r.id = m.run_id join inputs i on i.id = r.input_id
            where i.key like 'channel/%')::int as "modelCalls",
          (select count(*) from runs r join inputs i on i.id = r.input_id where i.key like 'channel/%')::int as runs`,
      )
      return counts
    },
    /** The model is a witness of its own. */
    unknownWords(said: readonly string[]): string[] {
      const known = [...said]
      const strange = asked.filter(
        (words) => !words.startsWith('fetch it') && !known.some((each) => words.includes(each)),
      )
      const expected = said.length + wishes()
      return [
        ...strange.map((words) => `a model heard: ${words.slice(0, 80)}`),
        ...(asked.length === expected ? [] : [`a model was asked ${asked.length} times, not ${expected}`]),
      ]
    },
    close: () => client.end(),
  }
}
