import { defineConfig } from 'vitest/config'
import { isSmall } from './tests/size.ts'
import { secondTry, unsteadyTests } from './tests/unsteady-tests.ts'

/** Files that start a database, a gateway or a sandbox: one at a time, since two starve each other on two cores. */
const system = [
  'packages/*/src/**/*.system.test.ts',
  'packages/cli/src/gateway-process.test.ts',
  'packages/cli/src/commands/tool-lab.test.ts',
  'packages/tool-lab/src/{lab,scaffold}.test.ts',
  'packages/executor/src/sandbox/*.test.ts',
  'packages/gateway/src/**/*.test.ts',
  'packages/kernel/src/kernel.test.ts',
  'packages/engine/src/engine.test.ts',
  'packages/kernel/src/budgets/{model-costs,costs}.test.ts',
  'packages/kernel/src/dispatch/child-calls.test.ts',
  'packages/kernel/src/records/records.test.ts',
  'packages/executor/src/browser/*.test.ts',
  'tests/prove/**/*.test.ts',
  'tests/ratchet/src/ratchet.test.ts',
  'tests/scenarios/**/*.test.ts',
  'bench/**/*.test.ts',
]

/** They take a minute or more and tell what shorter ones tell in parts: a small run leaves them to the night. */
const long = [
  'packages/cli/src/commands/tool-lab.test.ts',
  'packages/executor/src/browser/frozen.test.ts',
  'packages/executor/src/sandbox/podman.test.ts',
  'packages/tool-lab/src/lab.test.ts',
  // The proofs themselves are run.
  'tests/prove/src/{meta,suites/**/*}.test.ts',
  'tests/scenarios/{day-in-the-life,examples,first-run,first-run-terminal,goals,money,paste-terminal}.test.ts',
  'tests/scenarios/{plans,plugins,processes,retention,schedules,truth}.test.ts',
  // Real servers and programs, killed and started again.
  'tests/scenarios/{calendar-sync,coding-agent,mail,mail-oauth,mail-search,media,new-mail,office,pictures,speech}.test.ts',
  'packages/executor/src/{calendar-server/calendar-server,mail/arrived-mail,mail/oauth-mail,mail/searched-mail}.test.ts',
  'packages/executor/src/extensions/{playwright-server,real-servers}.system.test.ts',
  // Each waits for a provider, a pause or an end that its parts are tested for.
  'tests/scenarios/{call-rates,erased-conversations,ignored-stop,language,semantic-search}.test.ts',
  // The canaries of a session's browser are tried in every run.
  'packages/executor/src/browser/browser-pool.test.ts',
  'packages/channels/src/{email/email,matrix/matrix,xmpp/xmpp}.test.ts',
  // The proof of extensions tries the same servers, and the suite of the protocol takes twenty processes.
  'packages/executor/src/extensions/servers.system.test.ts',
  'tests/scenarios/server-conformance.test.ts',
  // The executor's own tests of them are in every run, and those in the browser; here gateways are started and killed.
  'tests/scenarios/{home-assistant,server-questions,server-sign-in,servers,skills}.test.ts',
  // Whole journeys whose parts are tested where they are made: at the door, in the lanes, in the node and in the proofs.
  'tests/scenarios/{agents-of-a-team,control,expenses,listed-questions,nodes,program-mcp,reader,tool-calls,voice-notes}.test.ts',
  // Their parts are tried in the sandbox in every run.
  'tests/scenarios/{private-conversations,program-changes,program-commands,tool-undo}.test.ts',
  'packages/executor/src/sealed/kept-changes.test.ts',
  'packages/executor/src/coding-agents/coding-agents.system.test.ts',
  // The weeks themselves are replayed.
  'tests/reference-week/src/replay.test.ts',
]

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    setupFiles: ['tests/fixed-seed.ts'],
    retry: secondTry,
    reporters: ['default', unsteadyTests()],
    // What a test waits for may come late on a slow machine; a test that waits in vain says for what before it ends.
    expect: { poll: { timeout: 50_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'tests/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...system, ...(isSmall ? long : [])],
          maxWorkers: 2,
          // Modules keep nothing between tests, so that every file may use those that are loaded already.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          // Where gateways are started and killed, a machine with other work takes three times as long.
          testTimeout: 180_000,
          hookTimeout: 240_000,
          include: system,
          exclude: ['**/node_modules/**', ...(isSmall ? long : [])],
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
