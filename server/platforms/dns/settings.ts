/** The name servers that are asked for what creators put into their DNS. */
import { isIP } from 'node:net';
import type { SettingsReader } from '#server/settings-reader.ts';

/** As node:dns takes them: `192.0.2.1`, `192.0.2.1:5353`, `[2001:db8::1]:53`. Null: those of this machine. */
export type DnsSettings = { dnsServers: string[] | null };

export function readDnsSettings(read: SettingsReader): DnsSettings {
  const servers = (read.text('DNS_SERVERS') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (servers.some((server) => isIP(server.replace(/^\[(.+)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3')) === 0)) {
    read.refuse(
      'DNS_SERVERS',
      `is "${servers.join(',')}".`,
      'Write IP addresses with commas between them, like 1.1.1.1,9.9.9.9.',
    );
  }
  return { dnsServers: servers.length === 0 ? null : servers };
}
