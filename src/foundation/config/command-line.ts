import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Of a command whose call is wrong, as of a shell's own commands. */
const EXIT_USAGE = 2;

/** What a command does at its start: it goes on with what it was called with, or says something and ends. */
export type CommandLine<Read> = { readonly read: Read } | Ending;

interface Ending {
  readonly text: string;
  readonly exitCode: number;
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Read<Named extends Options> = ReturnType<typeof parseArgs<Call<Named>>>;
interface Call<Named extends Options> {
  args: string[];
  options: Named;
  allowPositionals: true;
}

/**
 * @param argv without the program and its file
 * @param usage what is printed for `--help`, and after a mistake
 * @param options by name, as `parseArgs` of Node takes them
 * @param most how many arguments may stand beside them
 */
export function parseCommandLine<const Named extends Options>(
  argv: readonly string[],
  usage: string,
  options: Named,
  most = 0,
): CommandLine<Read<Named>> {
  if (argv.some((given) => given === '--help' || given === '-h')) {
    return { text: usage, exitCode: 0 };
  }
  try {
    const read = parseArgs<Call<Named>>({ args: [...argv], options, allowPositionals: true });
    const surplus = read.positionals[most];
    return surplus === undefined ? { read } : wrong(`Unexpected argument '${surplus}'`, usage);
  } catch (error) {
    // What parseArgs says of an option that may be an argument goes on about separators.
    const [sentence = ''] = (error as Error).message.split('. ');
    return wrong(sentence, usage);
  }
}

/** The same of this process. `--help`, and a mistake before anything was done, end it: with 0, and with 2. */
export function commandLineOrExit<const Named extends Options>(
  usage: string,
  options: Named = {} as Named,
  most = 0,
): Read<Named> {
  const line = parseCommandLine(process.argv.slice(2), usage, options, most);
  if ('read' in line) {
    return line.read;
  }
  return end(line);
}

/** Ends the process over a value that the command cannot take. @param sentence names the option and the value */
export function endOverUsage(sentence: string, usage: string): never {
  return end(wrong(sentence, usage));
}

function end({ text, exitCode }: Ending): never {
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exit(exitCode);
}

function wrong(sentence: string, usage: string): Ending {
  return { text: `${sentence}\n${usage}`, exitCode: EXIT_USAGE };
}
