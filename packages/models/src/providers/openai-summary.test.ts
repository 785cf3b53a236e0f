import { expect, test } from 'vitest'
import { withoutRefusedSummary } from './openai-summary.ts'

function server(refusal: string) {
  const asked: string[] = []
  const fetch = withoutRefusedSummary((_input, init) => {
    const body = init?.body as string
    asked.push(body)
    return Promise.resolve(
      body.includes('summary')
        ? new Response(refusal, { status: 400 })
        : new Response('fine', { status: 200 }),
    )
  })
  return { asked, fetch }
}

const request = {
  method: 'POST',
  body: JSON.stringify({ model: 'm', reasoning: { effort: 'low', summary: 'auto' } }),
}
const unverified = 'Your organization must be verified to generate reasoning summaries.'

test('asks without a summary once it was refused one, and from then on at once', async () => {
  const { asked, fetch } = server(unverified)
  expect((await fetch('http://127.0.0.1/', request)).status).toBe(200)
  expect((await fetch('http://127.0.0.1/', request)).status).toBe(200)
  expect(asked).toHaveLength(3)
  expect(asked.slice(1)).toEqual(Array(2).fill('{"model":"m","reasoning":{"effort":"low"}}'))
})

test('passes every other refusal on, after one request', async () => {
  const { asked, fetch } = server('The model does not exist.')
  const response = await fetch('http://127.0.0.1/', request)
  expect(response.status).toBe(400)
  expect(await response.text()).toBe('The model does not exist.')
  expect(asked).toHaveLength(1)
})

test('leaves a request without a summary alone', async () => {
  const { asked, fetch } = server(unverified)
  const body = '{"model":"m"}'
  await fetch('http://127.0.0.1/', { method: 'POST', body })
  expect(asked).toEqual([body])
})
