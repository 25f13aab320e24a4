/** How one setting is read and checked; what there is to read stands in config.ts and the settings.ts of each platform. */
import { existsSync, readFileSync } from 'node:fs';

export type ConfigProblem = { setting: string; problem: string; remedy: string };

export class SettingsReader {
  private readonly env: NodeJS.ProcessEnv;
  private readonly problems: ConfigProblem[];

  constructor(env: NodeJS.ProcessEnv, problems: ConfigProblem[]) {
    this.env = env;
    this.problems = problems;
  }

  text(name: string): string | null {
    const value = this.env[name]?.trim() ?? '';
    const file = this.env[`${name}_FILE`]?.trim() ?? '';
    if (value !== '' && file !== '') {
      this.refuse(name, `is set twice, as ${name} and as ${name}_FILE.`, 'Keep one of the two.');
    }
    if (file === '') return value === '' ? null : value;
    if (!existsSync(file)) {
      this.refuse(`${name}_FILE`, `names ${file}, which is not there.`, 'Correct the path or remove the setting.');
      return null;
    }
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      this.refuse(
        `${name}_FILE`,
        `names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
        'Let the user that runs Creator HQ read it.',
      );
      return null;
    }
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    this.refuse(name, `is "${value}".`, `Write a whole number from ${least} to ${most}.`);
    return fallback;
  }

  onOff(name: string, fallback: boolean): boolean {
    const value = this.oneOf(name, fallback ? 'on' : 'off', ['on', 'off']);
    return value === 'on';
  }

  oneOf<T extends string>(name: string, fallback: T, choices: T[]): T {
    const value = this.text(name);
    if (value === null) return fallback;
    if (choices.includes(value as T)) return value as T;
    this.refuse(name, `is "${value}".`, `Choose one of: ${choices.join(', ')}.`);
    return fallback;
  }

  matching(name: string, fallback: string, pattern: RegExp, remedy: string): string {
    const value = this.text(name) ?? fallback;
    if (!pattern.test(value)) this.refuse(name, `is "${value}".`, remedy);
    return value;
  }

  webAddress(name: string, fallback: string): string {
    const value = this.text(name) ?? fallback;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      this.refuse(name, `is "${value}".`, 'Write a full web address, like https://hq.example.com.');
    }
    return value.replace(/\/+$/, '');
  }

  optionalWebAddress(name: string): string | null {
    return this.text(name) === null ? null : this.webAddress(name, '');
  }

  secret(name: string, minLength: number): string | null {
    const value = this.text(name);
    if (value !== null && value.length < minLength) {
      this.refuse(
        name,
        `has ${value.length} characters.`,
        `Use at least ${minLength}, for example from: openssl rand -base64 48`,
      );
    }
    return value;
  }

  /** `name=value,name=value`, percent-encoded. */
  list(name: string): Record<string, string> {
    const parts = (this.text(name) ?? '').split(',').filter((part) => part.trim() !== '');
    try {
      return Object.fromEntries(
        parts.map((part) => {
          const [key = '', value] = part.split(/=(.*)/s);
          if (key.trim() === '' || value === undefined) throw new URIError();
          return [key.trim(), decodeURIComponent(value.trim())];
        }),
      );
    } catch {
      this.refuse(name, 'cannot be read.', 'Write it as name=value,name=value, with percent-encoded values.');
      return {};
    }
  }

  pair(id: string, secret: string, where: string): void {
    const hasId = this.text(id) !== null;
    const hasSecret = this.text(secret) !== null;
    if (hasId && !hasSecret) this.refuse(secret, `is missing although ${id} is set.`, where);
    if (!hasId && hasSecret) this.refuse(id, `is missing although ${secret} is set.`, where);
  }

  refuse(setting: string, problem: string, remedy: string): void {
    this.problems.push({ setting, problem, remedy });
  }
}

/** An address to listen on that this machine alone reaches. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d+){3}|localhost|::1)$/.test(host);
}
