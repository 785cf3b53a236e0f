import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWitnessServer } from './witness-server.ts'

let server: Server
let url: string
let asked: string[]
let problems: unknown[]
beforeEach(async () => {
  asked = []
  problems = []
  server = createWitnessServer(
    {
      addCheckpoint: async (body) => {
        asked.push(body)
        if (body === 'break') throw new Error('the disk is full')
        return { status: 409, body: '7\n', type: 'text/x.tlog.size' }
      },
    },
    (problem) => problems.push(problem),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})
const post = (body: string, path = '/add-checkpoint') => fetch(`${url}${path}`, { method: 'POST', body })

test('answers as the witness says, with its content type', async () => {
  const answer = await post('old 0\n')
  expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([
    409,
    '7\n',
    'text/x.tlog.size',
  ])
  expect(asked).toEqual(['old 0\n'])
})

test('has one place, takes only POST, and reads no more than a request may have', async () => {
  expect((await post('x', '/')).status).toBe(404)
  expect((await post('x', '/add-checkpoint?x')).status).toBe(404)
  expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405)
  expect((await post('x'.repeat(40_000))).status).toBe(413)
  expect(asked).toEqual([])
})

test('cosigns nothing when it cannot keep it, and says so to its owner', async () => {
  expect((await post('break')).status).toBe(500)
  expect(String(problems[0])).toContain('the disk is full')
  expect((await post('again')).status).toBe(409)
})
