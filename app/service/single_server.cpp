#include "service/single_server.h"

#include <algorithm>
#include <utility>

namespace lanewise {

using Json = nlohmann::json;

SingleServer::SingleServer(Service service, std::function<void(const std::string& frame)> send)
    : service_(std::move(service)), send_(std::move(send)) {}

void SingleServer::greet() {
    send({{"type", "hello"},
          {"protocol", kProtocolVersion},
          {"program", "lanewise-engine"},
          {"version", program_version()}});
    Json status = service_.status();
    status["type"] = "status";
    send(status);
}

void SingleServer::take(std::string_view bytes) {
    try {
        decoder_.feed(bytes);
        while (auto message = decoder_.next()) handle(*message);
    } catch (const Error& error) {
        send_error(0, {error.status(), error.what(), {}});
        throw;
    }
}

void SingleServer::handle(Json& message) {
    uint64_t id = 0;
    if (message["type"] == "beat") return;
    try {
        id = message.at("id").get<uint64_t>();
        if (message["type"] == "request") accept(message);
        if (message["type"] == "cancel") cancel(id);
    } catch (const Json::exception& error) {
        send_error(
            id,
            {Status::bad_input, "the request makes no sense: " + std::string(error.what()), {}});
    }
}

void SingleServer::accept(Json& message) {
    uint64_t id = message.at("id");
    std::string name = message.at("method");
    auto method = std::find_if(service_.methods.begin(), service_.methods.end(),
                               [&](const Method& each) { return each.name == name; });
    if (method == service_.methods.end())
        return send_error(id, {Status::bad_input, "the engine has no method " + name, {}});
    Queue& queue = this->queue(*method);
    if (method->newest_only)
        std::erase_if(queue, [&](const Waiting& older) {
            if (older.method != &*method) return false;
            send_error(older.id, {Status::fine, "superseded", {}});
            return true;
        });
    queue.push_back({id, &*method, std::move(message.at("params"))});
}

void SingleServer::cancel(uint64_t id) {
    for (Queue& queue : waiting_)
        std::erase_if(queue, [&](const Waiting& request) {
            if (request.id != id) return false;
            send_error(id, {Status::fine, "cancelled", {}});
            return true;
        });
}

bool SingleServer::work_one() {
    for (LaneKind lane : {LaneKind::pictures, LaneKind::checks, LaneKind::steps, LaneKind::others,
                          LaneKind::models}) {
        Queue& queue = waiting_[static_cast<size_t>(lane)];
        if (queue.empty()) continue;
        Waiting request = std::move(queue.front());
        queue.pop_front();
        work(request);
        return true;
    }
    return false;
}

void SingleServer::work(const Waiting& request) {
    CancelFlag cancel = false;
    JobContext context{
        cancel, [&](double fraction, const std::string& what) {
            send(
                {{"type", "progress"}, {"id", request.id}, {"fraction", fraction}, {"what", what}});
        }};
    try {
        Json result = request.method->work(request.params, context);
        send({{"type", "result"}, {"id", request.id}, {"result", std::move(result)}});
    } catch (...) {
        send_error(request.id, failure_at_hand());
    }
}

void SingleServer::send_error(uint64_t id, const JobFailure& failure) {
    send({{"type", "error"},
          {"id", id},
          {"status", static_cast<int>(failure.status)},
          {"message", failure.message},
          {"details", failure.details},
          {"last", false}});
}

}  // namespace lanewise
