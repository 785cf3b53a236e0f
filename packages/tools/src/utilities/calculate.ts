/**
 * Works out an arithmetical expression. Only numbers, operators and the functions listed here take part: no
 * assignment, no function of its own, no text, no list.
 */
import type { MathNode } from 'mathjs'
import { z } from 'zod'
import { answer, brief, type ComputationResult, computing, refuse } from './computing.ts'

export const calculate = computing({
  name: 'calculate',
  version: '1',
  description:
    'Evaluate a mathematical expression, such as "(2 + 3) * sqrt(16) / 10%". Angles are in radians; log is natural.',
  group: 'core',
  tags: [
    'math',
    'arithmetic',
    'calculator',
    'sum',
    'formula',
    'compute',
    'percent',
    'sqrt',
    'square root',
    'plus',
    'minus',
    'times',
    'multiply',
    'divided by',
    'how much is',
    'add up',
    'work out',
    'total',
    'equation',
    'split a bill',
    'per person',
    'each pays',
  ],
  input: z.strictObject({ expression: z.string().min(1).max(1000) }),
  describe: ({ expression }) => `Calculate ${brief(expression)}`,
  async compute({ expression }) {
    const { parse } = await import('mathjs/number')
    try {
      const tree = parse(expression)
      const stranger = strangeIn(tree)
      if (stranger !== undefined)
        return refuse(`${stranger} Use numbers, operators and functions such as sqrt.`)
      return told(tree.compile().evaluate({ ...own }))
    } catch (error) {
      // The parser and the functions say what is wrong by throwing; nesting that exhausts the stack ends here too.
      if (!(error instanceof Error)) throw error
      return refuse(`The expression cannot be worked out: ${brief(error.message, 200)}.`)
    }
  },
})

const constants = new Set(['pi', 'e', 'tau', 'phi', 'PI', 'E', 'true', 'false'])

/** Each takes a time that does not grow with its numbers. */
const functions = new Set(
  [
    'abs add subtract multiply divide pow sqrt cbrt nthRoot square cube exp expm1 log log2 log10 log1p',
    'floor ceil round fix sign mod min max sum mean median hypot gcd lcm factorial gamma',
    'sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh',
  ].flatMap((names) => names.split(' ')),
)

const own: Readonly<Record<string, (...numbers: number[]) => number>> = {
  ln: (value = Number.NaN) => Math.log(value),
  combinations: (from = Number.NaN, taken = Number.NaN) => choose(from, Math.min(taken, from - taken), true),
  permutations: (from = Number.NaN, taken = from) => choose(from, taken, false),
}

const nodes = new Set([
  'ConstantNode',
  'OperatorNode',
  'ParenthesisNode',
  'ConditionalNode',
  'RelationalNode',
])

/** What in the expression is more than arithmetic, in words. */
function strangeIn(tree: MathNode): string | undefined {
  const found: string[] = []
  tree.traverse((node, path) => {
    const problem = strange(node, path)
    if (problem !== undefined) found.push(problem)
  })
  return found[0]
}

function strange(node: MathNode, path: string): string | undefined {
  if (node.type === 'FunctionNode') {
    const name = 'fn' in node ? String(node.fn) : ''
    return functions.has(name) || Object.hasOwn(own, name)
      ? undefined
      : `There is no function ${brief(name)}.`
  }
  if (node.type === 'SymbolNode') {
    const name = 'name' in node ? String(node.name) : ''
    return path === 'fn' || constants.has(name) ? undefined : `There is no name ${brief(name)}.`
  }
  if (node.type === 'ConstantNode' && 'value' in node && typeof node.value !== 'number')
    return typeof node.value === 'boolean' ? undefined : 'Texts cannot be calculated with.'
  return nodes.has(node.type) ? undefined : 'This is more than an expression.'
}

function told(result: unknown): ComputationResult {
  if (typeof result === 'boolean') return answer({ result })
  if (typeof result !== 'number') return refuse('The expression has no number as its result.')
  if (Number.isNaN(result)) return refuse('The result is not a real number.')
  if (!Number.isFinite(result)) return refuse('The result is infinite or too large for a number.')
  return answer({ result: Number.isSafeInteger(result) ? result : Number(result.toPrecision(15)) })
}

function choose(from: number, taken: number, unordered: boolean): number {
  if (!Number.isInteger(from) || !Number.isInteger(taken) || taken < 0 || taken > from || taken > 10_000)
    throw new RangeError('combinations and permutations take whole numbers, at most 10,000 taken')
  let product = 1
  for (let step = 1; step <= taken; step += 1)
    product = (product * (from - taken + step)) / (unordered ? step : 1)
  return Math.round(product)
}
