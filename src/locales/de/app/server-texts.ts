/** What `health/server.ts` finds, in German. `$1` is a part of the English text. */
export const SERVER_FINDINGS: [english: RegExp, german: string][] = [
  [/^(PostgreSQL \S+) at (\S+), (\S+), collation (.*)$/, '$1 unter $2, $3, Sortierung $4'],
  [/^the server finds damaged pages$/, 'der Server erkennt beschädigte Seiten'],
  [
    /^are off: damaged pages are not noticed\. Stop the server and run (.*)$/,
    'sind aus: Beschädigte Seiten werden nicht bemerkt. Halten Sie den Server an, und führen Sie $1 aus',
  ],
  [
    /^fsync or full_page_writes is off: .*$/,
    'fsync oder full_page_writes ist aus: Ein Stromausfall zerstört die Datenbank. Setzen Sie beide auf on',
  ],
  [
    /^synchronous_commit is off: .*$/,
    'synchronous_commit ist aus: Bei einem Absturz des Servers gehen bestätigte Änderungen verloren. Setzen Sie es auf on',
  ],
  [
    /^synchronous_standby_names is empty: .*$/,
    'synchronous_standby_names ist leer: Einer Replik, die übernimmt, können bestätigte Änderungen fehlen. Nennen Sie dort eine Replik',
  ],
  [
    /^synchronous_commit is (local|remote_write): .*$/,
    'synchronous_commit ist $1: Bestätigte Änderungen können verloren gehen. Setzen Sie es auf on',
  ],
  [
    /^no standby that synchronous_standby_names \((.*)\) names is connected: .*$/,
    'keine Replik, die synchronous_standby_names ($1) nennt, ist verbunden: Jede Änderung wartet auf eine',
  ],
  [/^synchronous_commit (\S+), synchronous standbys (.*)$/, 'synchronous_commit $1, synchrone Repliken $2'],
  [
    /^one is connected; its state is shown to members of pg_monitor: .*$/,
    'eine ist verbunden; ihren Zustand sehen Mitglieder von pg_monitor: GRANT pg_monitor TO dem Benutzer',
  ],
  [/^(\S+) is (\S+), (\d+) kB behind$/, '$1 ist $2, $3 kB zurück'],
  [
    /^differs from the database's by (-?\d+) ms: synchronise both by NTP.*$/,
    'weicht um $1 ms von der Uhr der Datenbank ab: Stellen Sie beide über NTP',
  ],
  [/^differs from the database's by (-?\d+) ms$/, 'weicht um $1 ms von der Uhr der Datenbank ab'],
  [
    /^(\d+) nodes? opens? up to (\d+) of (\d+); (\d+) are open now: .*$/,
    '$1 Knoten: bis zu $2 von $3 Verbindungen; $4 sind jetzt offen: Erhöhen Sie max_connections, senken Sie read_connections in SIGNET_DATABASE_URL, oder verwenden Sie einen Pooler',
  ],
  [/^1 node opens up to (\d+) of (\d+); (\d+) are open now$/, '1 Knoten öffnet bis zu $1 von $2; $3 sind jetzt offen'],
  [/^(\d+) nodes open up to (\d+) of (\d+); (\d+) are open now$/, '$1 Knoten öffnen bis zu $2 von $3; $4 sind jetzt offen'],
  [
    /^(\d+); executables from schema (\d+) on may write; this executable knows (\d+): .*$/,
    '$1; Programme ab Schema $2 dürfen schreiben; dieses kennt $3: Bringen Sie diesen Knoten auf den neuesten Stand',
  ],
  [/^(\d+); executables from schema (\d+) on may write$/, '$1; Programme ab Schema $2 dürfen schreiben'],
  [/^none serves from this database$/, 'keiner arbeitet mit dieser Datenbank'],
  [
    /^(\S+), version (\S+), seen ([\d.]+) s ago: it has stopped, or cannot reach the database$/,
    '$1, Version $2, gesehen vor $3 s: Er wurde angehalten oder erreicht die Datenbank nicht',
  ],
  [
    /^(\S+), version (\S+), seen ([\d.]+) s ago: not the version of this executable \((.*)\)$/,
    '$1, Version $2, gesehen vor $3 s: nicht die Version dieses Programms ($4)',
  ],
  [/^(\S+), version (\S+), seen ([\d.]+) s ago$/, '$1, Version $2, gesehen vor $3 s'],
  [
    /^([\d.]+ ms): all changes wait for one another, so .*$/,
    '$1: Alle Änderungen warten aufeinander, die Entfernung begrenzt sie also. Rücken Sie die Knoten näher',
  ],
  [/^([\d.]+ ms)$/, '$1'],
  [
    /^an empty transaction took (\d+) ms: .*$/,
    'eine leere Transaktion dauerte $1 ms: Die Zeile, die jede Änderung sperrt, ist belegt, oder das Festschreiben wartet auf eine Replik',
  ],
  [/^an empty transaction took (\d+) ms$/, 'eine leere Transaktion dauerte $1 ms'],
  [/^not measured: this login may only read$/, 'nicht gemessen: Diese Anmeldung darf nur lesen'],
  [/^(\S+) owns the tables$/, '$1 gehören die Tabellen'],
  [/^(\S+) may change rows, not tables$/, '$1 darf Zeilen ändern, keine Tabellen'],
  [/^(\S+) may only read$/, '$1 darf nur lesen'],
]
