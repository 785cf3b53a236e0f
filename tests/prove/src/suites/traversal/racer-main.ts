/** A process that turns one path into a way out and back, as fast as it can, until it is ended. */
import { shapes } from './shapes.ts'

const [name, workspace, outside] = process.argv.slice(2)
const shape = shapes.find((candidate) => candidate.name === name)
if (!shape || workspace === undefined || outside === undefined)
  throw new Error('a shape and two folders are expected')
const place = { workspace, outside }

process.stdout.write('ready\n')
for (let turn = 0; ; turn += 1) {
  attempt(() => shape.out(place))
  linger((turn % 16) / 100)
  attempt(() => shape.back(place))
  // Now and then it stays long enough for a call to be verified, and turns while the call acts.
  linger(turn % 24 === 0 ? 3 + (turn % 7) : ((turn * 7) % 16) / 100)
}

function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // What is raced against takes files away under our hands.
  }
}

/** Unequal pauses, so that the two do not fall into step. */
function linger(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}
