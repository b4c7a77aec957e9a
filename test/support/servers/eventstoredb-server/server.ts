import { once } from 'node:events';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type sendUnaryData, type UntypedHandleCall } from '@grpc/grpc-js';
import { appends, batchAppends } from './appends.ts';
import { type Faults, noFaults, type Standing } from './faults.ts';
import { type ServerLog, serverLog } from './log.ts';
import { reads } from './reads.ts';

export type EventStoreDbServer = {
  readonly url: string;
  readonly port: number;
  /** What it has been given. */
  readonly log: ServerLog;
  readonly faults: Faults;
  readonly standing: Standing;
  /** The names of the protocol's methods, in the order of their calls. */
  readonly calls: readonly string[];
  dropConnections(): void;
  /** Ends like a killed process: the port is free, the log is what was written. */
  close(): Promise<void>;
};

/** As a server has it that is told nothing. */
const usualAppendBytesMax = 1024 * 1024;

type Options = { readonly log?: ServerLog; readonly port?: number };

/** An EventStoreDB node in this process: its public gRPC protocol, as far as a client of streams and `$all` needs it. */
export async function startEventStoreDb({
  log = serverLog(),
  port = 0,
}: Options = {}): Promise<EventStoreDbServer> {
  const faults = noFaults();
  const standing: Standing = { denied: new Set(), leader: undefined, appendBytesMax: usualAppendBytesMax };
  const calls: string[] = [];
  const sockets = new Set<Socket>();
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const counted = <Handler extends UntypedHandleCall>(name: string, handler: Handler) => {
    const counting = (...args: Parameters<Handler>) => {
      calls.push(name);
      return Reflect.apply(handler, undefined, args);
    };
    return counting;
  };

  const grpc = new Server();
  const nextAppendFault = () => faults.appends.shift();
  const nextReadFault = (kind: 'reads' | 'subscriptions') => faults[kind].shift();
  grpc.addService(streamsService.StreamsService, {
    read: counted('Read', reads({ log, standing, nextFault: nextReadFault, dropConnections })),
    append: counted('Append', appends({ log, standing, nextFault: nextAppendFault, dropConnections })),
    batchAppend: counted('BatchAppend', batchAppends({ log })),
  });
  grpc.addService(featuresService.ServerFeaturesService, {
    getSupportedMethods: counted('GetSupportedMethods', (_call: unknown, answer: sendUnaryData<unknown>) =>
      answer(null, supportedMethods()),
    ),
  });

  grpc.addService(gossipService.GossipService, {
    read: counted('Gossip', (_call: unknown, answer: sendUnaryData<unknown>) => {
      if (faults.gossips.shift() !== 'silence') answer(null, clusterOf(addressOf(listener).port));
    }),
  });

  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    injector.injectConnection(socket);
  });
  listener.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  const { port: own } = addressOf(listener);
  return {
    url: `esdb://127.0.0.1:${own}?tls=false`,
    port: own,
    log,
    faults,
    standing,
    calls,
    dropConnections,
    async close() {
      listener.close();
      dropConnections();
      grpc.forceShutdown();
      if (listener.listening) await once(listener, 'close');
    },
  };
}

const addressOf = (listener: NetServer) => listener.address() as AddressInfo;

/** A cluster of which this node is the leader, and the only one. */
function clusterOf(port: number) {
  const leader = new gossip.MemberInfo().setIsAlive(true).setState(gossip.MemberInfo.VNodeState.LEADER);
  leader.setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port));
  return new gossip.ClusterInfo().setMembersList([leader]);
}

function supportedMethods() {
  const supported = new features.SupportedMethods().setEventStoreServerVersion('24.10.0');
  for (const { path } of Object.values(streamsService.StreamsService)) {
    const [, service = '', method = ''] = path.split('/');
    supported.addMethods(
      new features.SupportedMethod().setServiceName(service).setMethodName(method.toLowerCase()),
    );
  }
  return supported;
}
