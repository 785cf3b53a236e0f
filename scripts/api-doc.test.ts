import { describe, expect, test } from 'vitest'
import { AskLedger, Receipt, RenameDevice } from '../packages/contract/src/index.ts'
import { apiDoc, contestedPaths, declaredRoutes } from './api-doc.ts'

const route = (method: string, path: string) => ({ method, path, summary: 'Does it.' })

describe('the page of the API', () => {
  test('has a row for routes of every module, and for the ones the API itself has', async () => {
    const page = apiDoc(await declaredRoutes())
    for (const call of [
      'GET /v1/status',
      'POST /v1/approvals/{ref}/decision',
      'GET /v1/onboarding',
      'POST /v1/tools/{name}/try',
      'GET /metrics',
    ])
      expect(page).toContain(`| \`${call}\``)
  })

  test('marks what needs no signature, and nothing else', async () => {
    const marked = apiDoc(await declaredRoutes())
      .split('\n')
      .filter((line) => line.includes('` †'))
      .map((line) => /`(.+?)`/.exec(line)?.[1] ?? '')
    expect(new Set(marked)).toEqual(
      new Set([
        'GET /hooks/channels/{name}',
        'GET /metrics',
        'GET /openai/v1/models',
        'GET /openai/v1/models/{model}',
        'GET /openai/v1/responses/{id}',
        'GET /v1/health',
        'GET /v1/nodes/pairing',
        'GET /v1/nodes/pairing/requests/{id}',
        'GET /v1/pairing',
        'GET /v1/pairing/requests/{id}',
        'POST /hooks/channels/{name}',
        'POST /hooks/{id}',
        'POST /mcp',
        'POST /openai/v1/chat/completions',
        'POST /openai/v1/responses',
        'POST /v1/nodes/pairing/requests',
        'POST /v1/pairing/by-passkey',
        'POST /v1/pairing/requests',
      ]),
    )
  })

  test('names a shape by its name in the contract, and says its fields once', () => {
    const page = apiDoc([
      {
        ...route('POST', '/v1/runs/{id}/stop'),
        query: AskLedger,
        body: RenameDevice,
        reply: { type: 'application/json', shape: Receipt },
      },
    ])
    expect(page).toMatch(/`\?limit` number<br>.*<br>RenameDevice \| Receipt \|/)
    expect(page.match(/^- \*\*Receipt\*\* .*ledger: number/gm)).toHaveLength(1)
  })

  test('gives a noun that nobody listed a section of its own', () => {
    expect(apiDoc([route('GET', '/v1/boats')])).toContain('## boats\n')
  })

  test('finds two routes at one place, whatever their parameters are called', () => {
    const [one, other] = [route('GET', '/v1/runs/{id}'), route('GET', '/v1/runs/{run}')]
    expect(contestedPaths([one, other])).toEqual(['GET /v1/runs/{}'])
    expect(contestedPaths([one, route('POST', '/v1/runs/{id}')])).toEqual([])
  })
})
