package io.deepsite.opennebula.oca;

import org.apache.ws.commons.util.NamespaceContextImpl;
import org.apache.xmlrpc.common.TypeFactoryImpl;
import org.apache.xmlrpc.common.XmlRpcController;
import org.apache.xmlrpc.common.XmlRpcStreamConfig;
import org.apache.xmlrpc.parser.LongParser;
import org.apache.xmlrpc.parser.TypeParser;

/**
 * XML-RPC's own types, and {@code i8} without a namespace: oned ends each refusal with such a number (its
 * replication index). Apache's library reads it only in the namespace of its extensions.
 */
final class ReplyTypes extends TypeFactoryImpl {
    ReplyTypes(XmlRpcController controller) {
        super(controller);
    }

    @Override
    public TypeParser getParser(XmlRpcStreamConfig config, NamespaceContextImpl names, String uri, String type) {
        return uri.isEmpty() && type.equals("i8") ? new LongParser() : super.getParser(config, names, uri, type);
    }
}
