/** Lists what became of the last tasks of coding agents. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { succeeded } from '../result.ts'
import { lookedAtResults, resultsTool } from './results-tool.ts'

export const listTaskResults = defineTool({
  ...resultsTool,
  runs: 'executor',
  name: 'list_task_results',
  version: '1',
  description: 'List recent results of coding agents: agent, task, success, time and cost.',
  input: z.strictObject({ limit: z.int().min(1) }),
  limit: { param: 'limit', max: 50, default: 20 },
  tags: ['coding agent', 'results', 'recent', 'history', 'cost'],
  describe: ({ limit }) => `List the last ${limit} results of coding agents`,
  preview: ({ limit }) => ({ kind: 'text', title: 'Results of coding agents', text: `The last ${limit}` }),
  effects: lookedAtResults,
  async run({ limit }, { codingAgents }) {
    const results = await codingAgents.results(limit)
    const rows = results.map(
      ({ id, at, provider, prompt, ok, end, durationMs, turns, costUsd, changed }) => ({
        id,
        at,
        provider,
        prompt: prompt.slice(0, 200),
        ok,
        end: end.slice(0, 200),
        durationMs,
        turns,
        costUsd,
        changed: changed.length,
      }),
    )
    return succeeded(JSON.stringify({ results: rows }), `${rows.length} results`)
  },
})
