/** Tells the whole result of one earlier task of a coding agent. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { lookedAtResults, resultsTool } from './results-tool.ts'

export const getTaskResult = defineTool({
  ...resultsTool,
  runs: 'executor',
  name: 'get_task_result',
  version: '1',
  description: 'Get the whole result of an earlier run_coding_task by its id.',
  input: z.strictObject({ result_id: nameText(64) }),
  tags: ['coding agent', 'result', 'output', 'what did it do'],
  describe: ({ result_id }) => `Show the result ${result_id} of a coding agent`,
  preview: ({ result_id }) => ({ kind: 'text', title: 'Result of a coding agent', text: result_id }),
  effects: lookedAtResults,
  async run({ result_id }, { codingAgents }) {
    const result = await codingAgents.result(result_id)
    if (!result) return failed(`There is no result ${result_id}. See list_task_results.`)
    return succeeded(JSON.stringify(result), `Result of ${result.provider}`)
  },
})
