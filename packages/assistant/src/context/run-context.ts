/** What a run of a built-in agent is told before its first word, for whoever replays runs without a kernel. */
export { builtInAgents } from '../agents/builtin.ts'
export { createContext } from './gather.ts'
