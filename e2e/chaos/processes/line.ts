/** A line between the program and something it talks to: a TCP proxy that can be cut, go dead, or become slow. */
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

export type Fault =
  /** Every connection ends, and new ones are refused. */
  | { kind: 'cut' }
  /** Connections stay open and nothing comes through: what was under way arrives when the line is well again. */
  | { kind: 'dead' }
  | { kind: 'slow'; delayMs: number };

export class Line {
  readonly port: number;
  private readonly server: Server;
  private readonly to: NetConnectOpts;
  private readonly ends = new Set<Socket>();
  private fault: Fault | null = null;

  private constructor(server: Server, port: number, to: NetConnectOpts) {
    this.server = server;
    this.port = port;
    this.to = to;
    server.on('connection', (near) => this.join(near));
  }

  static async open(to: NetConnectOpts): Promise<Line> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Line(server, (server.address() as { port: number }).port, to);
  }

  break(fault: Fault): void {
    this.heal();
    this.fault = fault;
    if (fault.kind === 'cut') for (const end of this.ends) end.destroy();
    if (fault.kind === 'dead') for (const end of this.ends) end.pause();
  }

  heal(): void {
    const { fault } = this;
    this.fault = null;
    if (fault?.kind === 'dead') for (const end of this.ends) end.resume();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const end of this.ends) end.destroy();
    await closed;
  }

  private join(near: Socket): void {
    if (this.fault?.kind === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(this.to);
    this.carry(near, far);
    this.carry(far, near);
    if (this.fault?.kind === 'dead') for (const end of [near, far]) end.pause();
  }

  private carry(from: Socket, to: Socket): void {
    this.ends.add(from);
    from.setNoDelay(true);
    const late: { at: number; work: () => void }[] = [];
    const pass = () => {
      while (late.length > 0 && late[0]!.at <= performance.now()) late.shift()!.work();
      if (late.length > 0) setTimeout(pass, Math.max(1, late[0]!.at - performance.now()));
    };
    // Bytes of a connection keep their order, as with every real line: what comes when it is quick again waits behind what is late.
    const later = (work: () => void) => {
      const delayMs = this.fault?.kind === 'slow' ? this.fault.delayMs : 0;
      if (late.length === 0 && delayMs === 0) return work();
      late.push({ at: Math.max(late.at(-1)?.at ?? 0, performance.now() + delayMs), work });
      if (late.length === 1) setTimeout(pass, delayMs);
    };
    from.on('data', (bytes) => later(() => to.write(bytes)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.ends.delete(from);
      later(() => to.destroy());
    });
  }
}
