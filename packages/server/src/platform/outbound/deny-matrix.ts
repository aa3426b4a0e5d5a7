/** A class of addresses that is denied: its first and last, and the public addresses right before and after it. */
export interface DeniedRange {
  what: string;
  first: string;
  last: string;
  inside?: string[];
  publicNeighbours?: string[];
}

export const DENY_MATRIX: DeniedRange[] = [
  { what: 'this network', first: '0.0.0.0', last: '0.255.255.255', inside: ['0.1.2.3'], publicNeighbours: ['1.0.0.0'] },
  { what: 'private 10/8', first: '10.0.0.0', last: '10.255.255.255', publicNeighbours: ['9.255.255.255', '11.0.0.0'] },
  {
    what: 'carrier-grade NAT',
    first: '100.64.0.0',
    last: '100.127.255.255',
    inside: ['100.100.100.200'],
    publicNeighbours: ['100.63.255.255', '100.128.0.0'],
  },
  {
    what: 'loopback',
    first: '127.0.0.0',
    last: '127.255.255.255',
    inside: ['127.0.0.1', '127.254.254.254'],
    publicNeighbours: ['126.255.255.255', '128.0.0.0'],
  },
  {
    what: 'Azure WireServer',
    first: '168.63.129.16',
    last: '168.63.129.16',
    publicNeighbours: ['168.63.129.15', '168.63.129.17'],
  },
  {
    what: 'link-local and metadata',
    first: '169.254.0.0',
    last: '169.254.255.255',
    inside: ['169.254.169.254', '169.254.170.2'],
    publicNeighbours: ['169.253.255.255', '169.255.0.0'],
  },
  {
    what: 'private 172.16/12',
    first: '172.16.0.0',
    last: '172.31.255.255',
    publicNeighbours: ['172.15.255.255', '172.32.0.0'],
  },
  {
    what: 'IETF protocol assignments',
    first: '192.0.0.0',
    last: '192.0.0.255',
    inside: ['192.0.0.192'],
    publicNeighbours: ['191.255.255.255', '192.0.1.0'],
  },
  { what: 'TEST-NET-1', first: '192.0.2.0', last: '192.0.2.255', publicNeighbours: ['192.0.1.255', '192.0.3.0'] },
  {
    what: '6to4 relay anycast',
    first: '192.88.99.0',
    last: '192.88.99.255',
    publicNeighbours: ['192.88.98.255', '192.88.100.0'],
  },
  {
    what: 'private 192.168/16',
    first: '192.168.0.0',
    last: '192.168.255.255',
    publicNeighbours: ['192.167.255.255', '192.169.0.0'],
  },
  {
    what: 'benchmark',
    first: '198.18.0.0',
    last: '198.19.255.255',
    publicNeighbours: ['198.17.255.255', '198.20.0.0'],
  },
  {
    what: 'TEST-NET-2',
    first: '198.51.100.0',
    last: '198.51.100.255',
    publicNeighbours: ['198.51.99.255', '198.51.101.0'],
  },
  {
    what: 'TEST-NET-3',
    first: '203.0.113.0',
    last: '203.0.113.255',
    publicNeighbours: ['203.0.112.255', '203.0.114.0'],
  },
  { what: 'multicast', first: '224.0.0.0', last: '239.255.255.255', publicNeighbours: ['223.255.255.255'] },
  { what: 'class E with broadcast', first: '240.0.0.0', last: '255.255.255.255' },
  { what: 'v6 unspecified and loopback', first: '::', last: '::1', inside: ['0:0:0:0:0:0:0:1'] },
  { what: 'v4-compatible', first: '::0.0.0.0', last: '::255.255.255.255', inside: ['::127.0.0.1', '::8.8.8.8'] },
  { what: 'v4-translated', first: '::ffff:0:0.0.0.0', last: '::ffff:0:255.255.255.255', inside: ['::ffff:0:8.8.8.8'] },
  {
    what: 'NAT64',
    first: '64:ff9b::',
    last: '64:ff9b::255.255.255.255',
    inside: ['64:ff9b::a9fe:a9fe', '64:ff9b::8.8.8.8'],
  },
  { what: 'local NAT64', first: '64:ff9b:1::', last: '64:ff9b:1:ffff:ffff:ffff:ffff:ffff' },
  { what: 'discard', first: '100::', last: '100::ffff:ffff:ffff:ffff' },
  {
    what: 'Teredo',
    first: '2001::',
    last: '2001:0:ffff:ffff:ffff:ffff:ffff:ffff',
    inside: ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    publicNeighbours: ['2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:1::'],
  },
  { what: 'v6 benchmark', first: '2001:2::', last: '2001:2:0:ffff:ffff:ffff:ffff:ffff' },
  {
    what: 'ORCHID',
    first: '2001:10::',
    last: '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff',
    publicNeighbours: ['2001:f:ffff:ffff:ffff:ffff:ffff:ffff'],
  },
  {
    what: 'ORCHIDv2',
    first: '2001:20::',
    last: '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff',
    publicNeighbours: ['2001:30::'],
  },
  {
    what: 'v6 documentation',
    first: '2001:db8::',
    last: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    publicNeighbours: ['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
  },
  {
    what: '6to4',
    first: '2002::',
    last: '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    inside: ['2002:7f00:1::', '2002:808:808::'],
    publicNeighbours: ['2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  },
  {
    what: 'newer v6 documentation',
    first: '3fff::',
    last: '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    publicNeighbours: ['3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
  },
  { what: 'SRv6', first: '5f00::', last: '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  {
    what: 'unique local',
    first: 'fc00::',
    last: 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    inside: ['fd00:ec2::254'],
  },
  { what: 'v6 link-local', first: 'fe80::', last: 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { what: 'site-local', first: 'fec0::', last: 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { what: 'v6 multicast', first: 'ff00::', last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  {
    what: 'unassigned below global unicast',
    first: '101::',
    last: '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    publicNeighbours: ['2000::'],
  },
  {
    what: 'unassigned above global unicast',
    first: '4000::',
    last: 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    publicNeighbours: ['3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  },
];

/** Hosts of URLs that mean 127.0.0.1 or another denied address once a URL parser has read them. */
export const DISGUISED_HOSTS = [
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '0',
  '017700000001',
  '0x7f000001',
  '127.0.0.1.',
  '１２７.０.０.１',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[0:0:0:0:0:ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:7f00:1::]',
  '0xa9fea9fe',
];
