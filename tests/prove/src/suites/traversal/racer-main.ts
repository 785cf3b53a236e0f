/** A process that turns one path into a way out and back, as fast as it can, until it is ended. */
import { shapes } from './shapes.ts'

const [name, workspace, outside] = process.argv.slice(2)
const shape = shapes.find((candidate) => candidate.name === name)
if (!shape || workspace === undefined || outside === undefined) throw new Error('a shape and two folders are expected')
const place = { workspace, outside }

process.stdout.write('ready\n')
for (let turn = 0; ; turn += 1) {
  attempt(() => shape.out(place))
  linger(turn)
  attempt(() => shape.back(place))
  linger(turn * 7)
}

/** What is raced against takes files away under our hands. */
function attempt(change: () => void): void {
  try {
    change()
  } catch {}
}

/** Unequal pauses, so that the two do not fall into step. */
function linger(turn: number): void {
  const until = performance.now() + (turn % 16) / 100
  while (performance.now() < until);
}
