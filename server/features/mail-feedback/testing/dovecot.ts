/** A real IMAP server for tests: Debian's Dovecot with a configuration of its own, on loopback, for one user. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureProgram } from '../../../../scripts/debian-package.ts';

/** Dovecot runs its workers as users of its own, so it must be started by root. */
export function ensureDovecot(): boolean {
  return process.getuid?.() === 0 && ensureProgram({ program: 'dovecot', args: ['--version'], name: 'dovecot-imapd' });
}

/** Dovecot serves no mails of root's. */
const NOBODY = 65534;

export type Dovecot = {
  /** `imap://…`, as BOUNCE_IMAP_URL has it. */
  url: string;
  /** As a mail server hands a mail over: a file in the maildir. */
  deliver(raw: string): Promise<void>;
  /** The mails in a folder, `''` for the inbox. */
  mailsIn(folder: string): Promise<string[]>;
  close(): Promise<void>;
};

export async function startDovecot(): Promise<Dovecot> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dovecot-'));
  await chmod(folder, 0o755);
  const maildir = path.join(folder, 'mail');
  for (const part of ['', 'new', 'cur', 'tmp']) {
    await mkdir(path.join(maildir, part), { recursive: true });
    await chown(path.join(maildir, part), NOBODY, NOBODY);
  }
  const port = await freePort();
  const configuration = path.join(folder, 'dovecot.conf');
  await writeFile(configuration, configurationOf(folder, maildir, port));
  const child = spawn('dovecot', ['-F', '-c', configuration], { stdio: ['ignore', 'ignore', 'pipe'] });
  const complaints: string[] = [];
  child.stderr.on('data', (bytes: Buffer) => complaints.push(bytes.toString()));
  await answering(port, child, () => complaints.join(''));
  let delivered = 0;
  return {
    url: `imap://bounce%40hq.example.com:p%40ss@127.0.0.1:${port}`,
    deliver: async (raw) => {
      const name = `${Date.now()}.${delivered++}.test`;
      await writeFile(path.join(maildir, 'tmp', name), raw);
      await chown(path.join(maildir, 'tmp', name), NOBODY, NOBODY);
      await rename(path.join(maildir, 'tmp', name), path.join(maildir, 'new', name));
    },
    mailsIn: async (name) => {
      const at = path.join(maildir, name === '' ? '' : `.${name.replaceAll('/', '.')}`);
      const files = await Promise.all(
        ['new', 'cur'].map(async (part) => {
          const names = await readdir(path.join(at, part)).catch(() => []);
          return Promise.all(names.map((one) => readFile(path.join(at, part, one), 'utf8')));
        }),
      );
      return files.flat();
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configurationOf(folder: string, maildir: string, port: number): string {
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${maildir}
namespace inbox {
  inbox = yes
}
passdb {
  driver = static
  args = password=p@ss
}
userdb {
  driver = static
  args = uid=${NOBODY} gid=${NOBODY} home=${folder}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Until it greets: a listening port alone may have nobody behind it yet. */
async function answering(port: number, child: ChildProcess, complaints: () => string): Promise<void> {
  const { connect } = await import('node:net');
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const greeting = await Promise.race([once(socket, 'data'), once(socket, 'close'), once(socket, 'error')]).catch(
      () => [],
    );
    socket.destroy();
    if (String(greeting[0] ?? '').includes('OK')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Dovecot ended: ${complaints()}`);
}
